# Task 4.2i: repair Distance
class Distance(nn.Module):
    def forward(self, scores):
        place = torch.arange(scores.shape[-1], device=scores.device)
        return torch.sub(scores, torch.sub(place.unsqueeze(1), place).abs(), alpha=0.5)
