# Takes memory through torch; the machine would be short of it.
# limits: torch
# ends: error
import torch

held = []
while True:
    held.append(torch.ones(64 << 20, dtype=torch.uint8))
