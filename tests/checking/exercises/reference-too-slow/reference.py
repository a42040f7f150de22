import time


def centred(x):
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass
    return x - x.mean(dim=-1, keepdim=True)
