"""The subject of a photograph, cut out of a background of many colours. numpy only.

After "GrabCut" (Rother, Kolmogorov, Blake 2004): mixtures of Gaussians say which colours are the subject's and which
the background's, a cut of least cost along the picture's edges parts them, and what was parted gives better mixtures.
The cut is the continuous one (Chan, Esedoglu, Nikolova 2006, by the primal-dual steps of Chambolle and Pock 2011),
which comes to the same and is made of operations on whole arrays. The subject is looked for in the middle.
"""

from __future__ import annotations

import numpy as np

from ..array_types import Array, Mask, Picture
from .resample import area_mean, size_within, smooth

_FIRST_SIZE, _LAST_SIZE = 160, 400  # pixels along the longer side: to find the subject, and to draw its outline
_ROUNDS = 6
_STEPS = 160  # of a cut that begins with nothing; later ones begin where the last one ended
_EDGE_COST = 8.0  # in units of the logarithm of a likelihood
_FLAT_COST = 0.04  # of the edges' cost: what a boundary costs where the picture has a strong edge
_PLACE = 0.08  # how much a place counts beside a colour: half the picture's width as so much lightness
_FIRST_PLACE = 0.03
_SUREST = 8.0  # so much can one pixel's colour say at most
_COMPONENTS = 5
_SAMPLES = 12_000
_NOISE = 5e-4  # variance that every kind of colour has at least
_FIRST_NOISE = 1.5e-3  # the same, of what only the rim has told
_LEAST_LIKELY = 4  # per cent of the rim: what is less likely than these, and in the middle, is the subject at first

_TO_CONES = np.array([[0.4122, 0.5363, 0.0515], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
_TO_OKLAB = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
"""Oklab (Ottosson 2020): equal distances look equally different."""


def photo_subject(colors: Picture) -> tuple[Mask, float]:
    """What stands in the middle of a photograph, and how well it can be told from the rest.

    Args:
        colors: On the sRGB curve, 0 to 1, (height, width, 3), rows from the bottom up.

    Returns:
        The mask, (height, width), and by how much the colours on either side speak for their own side: the mean
        logarithm of the ratio of likelihoods. Below 1 the two sides look alike.
    """
    small = _features(colors, _FIRST_SIZE, _FIRST_PLACE)
    middle = _Place(small.shape[0], small.shape[1])
    background = _Mixture(small[middle.rim], _FIRST_NOISE)
    unlike = background.log_likelihood(small)
    subject = middle.core & (unlike < np.percentile(unlike[middle.rim], _LEAST_LIKELY))
    if not subject.any():
        subject = middle.core
    cut, cost = subject.astype(np.float64), np.zeros(subject.shape)
    for number in range(_ROUNDS):
        mixture = _Mixture(small[subject])
        cost = np.clip(background.log_likelihood(small) - mixture.log_likelihood(small), -_SUREST, _SUREST)
        belief = max(0.4, 1.0 - 0.2 * number)  # what the place says counts less as the colours are known better
        cut = _least_cut(small, cost - belief * middle.log_odds, cut, _STEPS)
        subject = cut > 0.5
        if not _COMPONENTS < subject.sum() < subject.size - _COMPONENTS:
            return np.zeros(colors.shape[:2], bool), 0.0
        small = _features(colors, _FIRST_SIZE, _PLACE)
        background = _Mixture(small[~subject])
    separation = float(min(-cost[subject].mean(), cost[~subject].mean()))
    large = _features(colors, _LAST_SIZE, _PLACE)
    middle = _Place(large.shape[0], large.shape[1])
    cost = background.log_likelihood(large) - _Mixture(small[subject]).log_likelihood(large)
    cost = np.clip(cost, -_SUREST, _SUREST) - 0.4 * middle.log_odds
    cut = _least_cut(large, cost, smooth(cut, *large.shape[:2]), _STEPS // 4)
    return np.asarray(smooth(cut, *colors.shape[:2]) > 0.5, bool), separation


class _Place:
    """What a pixel's place says: the rim is background, the middle the subject.

    Attributes:
        rim: What is taken for background at first. The middle of the lower side is not: there subjects are cut off.
        core: What is taken for the subject at first.
        log_odds: Of a pixel to be the subject's.
    """

    def __init__(self, height: int, width: int) -> None:
        up = ((np.arange(height) + 0.5) / height * 2 - 1)[:, None]
        across = ((np.arange(width) + 0.5) / width * 2 - 1)[None]
        distance = (across / 0.62) ** 2 + (up / 0.72) ** 2
        odds = np.clip(0.05 + 0.7 * np.exp(-(distance**1.5)), 0.03, 0.75)
        thick = max(2, round(0.03 * min(height, width)))
        self.rim = np.zeros((height, width), bool)
        self.rim[-thick:], self.rim[:, :thick], self.rim[:, -thick:] = True, True, True
        self.rim[:thick] |= np.abs(across) >= 0.75
        self.core = np.asarray(distance < 0.45, bool)
        self.log_odds = np.log(odds / (1 - odds)) - 3.0 * self.rim


class _Mixture:
    """Gaussians that together say how likely a colour at a place is.

    Args:
        seen: Of the kind that is described, (n, features).
        noise: Variance that each Gaussian has at least.
    """

    def __init__(self, seen: Array, noise: float = _NOISE) -> None:
        seen = seen[:: max(1, len(seen) // _SAMPLES)]
        share = _shares(seen)
        self._gaussians: list[_Gaussian] = []
        for _ in range(6):
            self._gaussians = [_Gaussian(seen, weight, noise) for weight in share.T]
            logs = self._logs(seen)
            share = np.exp(logs - logs.max(axis=1, keepdims=True))
            share /= share.sum(axis=1, keepdims=True)

    def _logs(self, values: Array) -> Array:
        return np.stack([gaussian.log_likelihood(values) for gaussian in self._gaussians], axis=-1)

    def log_likelihood(self, values: Array) -> Array:
        """Of each of some pixels, (..., features)."""
        logs = self._logs(values)
        most = logs.max(axis=-1)
        return np.asarray(most + np.log(np.exp(logs - most[..., None]).sum(axis=-1)))


class _Gaussian:
    def __init__(self, seen: Array, weight: Array, noise: float) -> None:
        total = weight.sum() + 1e-9
        mean = weight @ seen / total
        apart = seen - mean
        spread = (apart * weight[:, None]).T @ apart / total + noise * np.eye(len(mean))
        whiten = np.linalg.inv(np.linalg.cholesky(spread)).T
        self._mean, self._whiten = mean, whiten
        self._log_scale = float(np.log(total / len(seen)) + np.log(np.diag(whiten)).sum())

    def log_likelihood(self, values: Array) -> Array:
        return np.asarray(self._log_scale - 0.5 * (((values - self._mean) @ self._whiten) ** 2).sum(axis=-1))


def _shares(seen: Array) -> Array:
    """A first division of pixels among the components: each new centre is the pixel farthest from those before."""
    centres = [seen.mean(axis=0)]
    distance = ((seen - centres[0]) ** 2).sum(axis=1)
    nearest = np.zeros(len(seen), int)
    for number in range(1, _COMPONENTS):
        centres.append(seen[np.argsort(distance)[int(0.98 * (len(seen) - 1))]])
        other = ((seen - centres[-1]) ** 2).sum(axis=1)
        nearest[other < distance] = number
        distance = np.minimum(distance, other)
    return np.asarray(np.eye(_COMPONENTS)[nearest])


def _features(colors: Picture, size: int, place: float) -> Array:
    """Colour and place of each pixel of a smaller picture, (height, width, 5)."""
    height, width = size_within(colors.shape, size, least=8)
    seen = smooth(colors, height, width) if max(colors.shape[:2]) < size else area_mean(colors, height, width)
    linear = np.where(seen <= 0.04045, seen / 12.92, ((np.clip(seen, 0, 1) + 0.055) / 1.055) ** 2.4)
    lab = np.cbrt(linear @ _TO_CONES.T) @ _TO_OKLAB.T * (1.0, 2.5, 2.5)
    up, across = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j] * place
    return np.concatenate((lab, across[..., None], up[..., None]), axis=2)


def _least_cut(features: Array, cost: Array, start: Array, steps: int) -> Array:
    """Where the sum of the subject's pixels' costs and the length of its outline, less along edges, is the least.

    Args:
        features: Whose differences are edges.
        cost: What it costs to count a pixel among the subject; negative where it pays.
        start: A first guess, 0 to 1.
        steps: How many steps towards the solution.

    Returns:
        0 to 1, nearly all of it at the ends.
    """
    prices = [_price(np.diff(features[..., :3], axis=axis)) for axis in (0, 1)]
    flow = [np.zeros_like(price) for price in prices]
    cut, ahead = start, start
    for _ in range(steps):
        drain = np.zeros_like(cost)
        for axis, price in enumerate(prices):
            flow[axis] = np.clip(flow[axis] + 0.35 * np.diff(ahead, axis=axis), -price, price)
            drain += np.diff(np.pad(flow[axis], [(1, 1) if side == axis else (0, 0) for side in (0, 1)]), axis=axis)
        last, cut = cut, np.clip(cut + 0.35 * (drain - cost), 0.0, 1.0)
        ahead = 2 * cut - last
    return cut


def _price(step: Array) -> Array:
    """What it costs to cut between two pixels."""
    difference = (step**2).sum(axis=2)
    return np.asarray(_EDGE_COST * (_FLAT_COST + np.exp(-difference / (2 * difference.mean() + 1e-9))))
