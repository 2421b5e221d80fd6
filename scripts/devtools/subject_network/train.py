"""``python -m devtools.subject_network.train PHOTOGRAPHS… --backbone FILE.pth --teacher FILE.onnx --out FILE.npz``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from .network import SubjectNetwork
from .samples import Samples

_SEED = 9
_BATCH = 16
_FASTEST = 2e-3  # of the rates of learning, which grow and fall again; the pretrained layers learn slower
_PRETRAINED = 0.08  # of that rate
_OVERLAP = 0.5  # how much the overlap of both masks counts beside each place by itself


def train(network: SubjectNetwork, samples: Samples, epochs: int) -> None:
    """Teaches the network, and prints each epoch's mean loss."""
    random = np.random.default_rng(_SEED)
    batches = len(samples) // _BATCH
    rates = [_FASTEST, _FASTEST * _PRETRAINED]
    groups = [network.heads(), network.backbone()]
    steps = torch.optim.AdamW(
        [{"params": group, "lr": rate} for group, rate in zip(groups, rates, strict=True)], weight_decay=1e-4
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(steps, rates, total_steps=epochs * batches, pct_start=0.15)
    for epoch in range(epochs):
        order, total = random.permutation(len(samples)), 0.0
        for numbers in np.split(order[: batches * _BATCH], batches):
            pairs = [samples.varied(number, random) for number in numbers]
            pictures = torch.from_numpy(np.stack([picture for picture, _ in pairs])).permute(0, 3, 1, 2)
            loss = _loss(network(pictures), torch.from_numpy(np.stack([mask for _, mask in pairs])))
            steps.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([*groups[0], *groups[1]], 1.0)
            steps.step()
            schedule.step()
            total += float(loss.detach())
        print(f"epoch {epoch + 1} of {epochs}: loss {total / batches:.3f}", flush=True)


def _loss(odds: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
    found = torch.sigmoid(odds)
    both = (found * told).sum((1, 2))
    either = (found + told - found * told).sum((1, 2))
    apart = functional.binary_cross_entropy_with_logits(odds, told)
    return apart + _OVERLAP * (1 - (both + 1) / (either + 1)).mean()


def main() -> int:
    """Trains as the arguments say, and stores the weights."""
    parser = argparse.ArgumentParser(description="Trains the network that finds the subject of a photograph.")
    parser.add_argument("photographs", nargs="+", type=Path, help="files of photographs")
    parser.add_argument("--backbone", type=Path, required=True, help="EfficientNet-Lite0's published weights, .pth")
    parser.add_argument("--teacher", type=Path, required=True, help="U2-Net, .onnx")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--out", type=Path, required=True, help="the weights as the engine reads them, .npz")
    options = parser.parse_args()
    torch.manual_seed(_SEED)
    network = SubjectNetwork(options.backbone).to(memory_format=torch.channels_last)
    train(network, Samples(options.photographs, options.teacher), options.epochs)
    network.store(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
