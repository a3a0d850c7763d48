# reason: calls train_step as before: right losses, all the launches
# fails: t12_4_test_launches
# says: launches
# Task 12.4: train by replays
class ReplayedTraining:
    def __init__(self, model, x, y):
        self.model = model

    def step(self, x, y, rate):
        return train_step(self.model, x, y, rate)
