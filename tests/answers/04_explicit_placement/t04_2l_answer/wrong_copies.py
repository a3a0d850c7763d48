# reason: copies the values once, and the two go their own ways
# fails: t04_2l_test
# Task 4.2l: repair Tied
class Tied(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.score = nn.Linear(width, words, bias=False)
        with torch.no_grad():
            self.score.weight.copy_(self.embed.weight)

    def forward(self, tokens):
        return self.score(self.embed(tokens))
