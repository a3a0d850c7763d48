# Task 4.2l: repair Tied
class Tied(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)

    def forward(self, tokens):
        return nn.functional.linear(self.embed(tokens), self.embed.weight)
