# reason: ties the memory again in each call, but the gradients stay apart
# fails: t04_2l_test
# Task 4.2l: repair Tied
class Tied(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.score = nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        self.score.weight.data = self.embed.weight.data
        return self.score(self.embed(tokens))
