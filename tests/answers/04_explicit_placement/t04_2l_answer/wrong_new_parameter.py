# reason: a new parameter around the same memory: .to() gives each its own copy
# fails: t04_2l_test
# Task 4.2l: repair Tied
class Tied(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.score = nn.Linear(width, words, bias=False)
        self.score.weight = nn.Parameter(self.embed.weight.detach())

    def forward(self, tokens):
        return self.score(self.embed(tokens))
