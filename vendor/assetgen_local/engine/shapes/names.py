"""The nouns that the engine knows as things to build, and the words that change size, number and shape, as data."""

from __future__ import annotations

FAMILIES: dict[str, tuple[str, ...]] = {
    family: tuple(nouns.split(", "))
    for family, nouns in {
        "chair": "chair, armchair, throne, stool, seat, bench, sofa, couch",
        "table": "table, desk, nightstand, workbench",
        "mug": "mug, cup, teacup, tankard, beaker",
        "bottle": "bottle, flask, potion, vase, jar, jug, urn, pot, bowl",
        "lamp": "lamp, lantern, streetlight, lamppost, street lamp, floor lamp, streetlamp",
        "tree": "tree, fir, spruce, conifer, palm, palm tree, christmas tree, pine tree, oak tree, bonsai",
        "rock": "rock, boulder, stone, pebble, asteroid, meteor, meteorite",
        "house": "house, cottage, cabin, hut, barn, home, villa, shed, building",
        "tower": "tower, castle, lighthouse, skyscraper, turret, fortress, keep",
        "sword": "sword, dagger, katana, knife, blade, longsword, broadsword, saber, sabre, rapier",
        "shield": "shield, buckler",
        "car": "car, truck, pickup, van, bus, taxi, jeep, sports car, racing car, automobile, suv",
        "rocket": "rocket, spaceship, missile, spacecraft, space ship, shuttle",
        "robot": "robot, android, mech, droid, cyborg",
        "character": "character, person, human, man, woman, boy, girl, child, knight, wizard, soldier, hero, "
        "superhero, warrior, elf, dwarf, zombie, astronaut, princess, king, queen, witch, pirate, ninja, figure, "
        "hobbit, mage, farmer, chef, guard, goblin, orc, alien",
        "animal": "animal, dog, cat, horse, cow, pig, sheep, elephant, giraffe, lion, tiger, bear, wolf, fox, deer, "
        "rabbit, goat, zebra, donkey, puppy, kitten, pony, unicorn, mouse, bunny, quadruped, bull, leopard, camel, "
        "reindeer",
        "fish": "fish, goldfish, shark, whale, dolphin, tuna, salmon, trout, clownfish",
        "bird": "bird, owl, duck, eagle, penguin, chicken, parrot, crow, raven, sparrow, swan, robin, hen, rooster, "
        "goose, pigeon",
        "crystal": "crystal, gem, gemstone, diamond, ruby, sapphire, emerald, quartz, amethyst, geode",
        "barrel": "barrel, keg, cask, drum, oil drum, bucket",
        "crate": "crate, chest, treasure chest, box, trunk",
        "mushroom": "mushroom, toadstool, fungus",
    }.items()
}  # fmt: skip
"""Family → its nouns."""

WEAK = {"rock", "stone", "crystal", "diamond", "ruby", "sapphire", "emerald", "gem", "blade", "seat", "figure", "box",
        "trunk", "palm", "quartz", "king", "hero", "guard", "building", "keep", "pot", "drum", "home"}  # fmt: skip
"""Nouns that more often describe another thing ("a stone tower"); they count when no other noun does."""

RELATED: dict[str, str] = {
    "animal": "dragon dinosaur monster beast creature monkey gorilla panda hippo rhino kangaroo squirrel rat hamster"
    " crocodile lizard turtle frog raccoon griffin badger otter",
    "bird": "dragon bat bee butterfly insect dragonfly phoenix griffin plane airplane aeroplane turkey ostrich",
    "fish": "mermaid octopus squid submarine snake eel crab seal",
    "car": "bicycle bike motorcycle motorbike scooter tank train tractor wagon cart carriage vehicle boat ship tram",
    "rocket": "plane airplane aeroplane aircraft jet helicopter satellite ufo drone",
    "house": "church temple shop store hotel tent garage school windmill mill pavilion bridge",
    "tower": "palace cathedral bridge wall gate ruin city windmill mill statue monument pyramid",
    "chair": "bed hammock swing saddle cradle",
    "lamp": "candle torch candlestick chandelier flashlight light",
    "table": "shelf cabinet wardrobe cupboard bookshelf bookcase piano dresser counter bed",
    "mug": "glass plate dish teapot kettle goblet chalice cauldron",
    "bottle": "teapot kettle can vial amphora",
    "crate": "book suitcase bag backpack basket package computer laptop phone television radio clock",
    "barrel": "can bin cauldron",
    "shield": "armor armour medal coin plate badge",
    "sword": "axe hammer spear bow gun rifle pistol weapon mace staff wand scythe arrow",
    "tree": "plant bush flower cactus rose vine fern hedge",
    "mushroom": "umbrella parasol",
    "rock": "mountain hill island planet moon cliff cave",
    "crystal": "ring jewel necklace crown jewelry",
    "robot": "machine golem transformer drone",
    "character": "statue doll skeleton vampire troll santa angel ghost skull bust head mermaid fairy monster",
}
"""Family → nouns that it has no form for and comes nearest to."""

PREPOSITIONS = {"with", "without", "of", "on", "in", "at", "made", "from", "and", "that", "wearing", "holding",
                "having", "has", "no", "under", "over", "beside", "near", "next", "to", "for", "standing",
                "sitting"}  # fmt: skip

NUMBERS = {
    "one": 1, "single": 1, "two": 2, "double": 2, "twin": 2, "pair": 2, "three": 3, "triple": 3, "tri": 3, "four": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "dozen": 12,
    "many": 9, "several": 5, "few": 3, "some": 3, "zero": 0,
}  # fmt: skip

STRETCH: dict[str, tuple[float, float, float]] = {
    "tall": (1, 1, 1.35), "high": (1, 1, 1.3), "long": (1, 1.35, 1), "wide": (1.4, 1, 1), "broad": (1.3, 1, 1),
    "thin": (0.72, 0.72, 1), "slim": (0.8, 0.8, 1), "slender": (0.75, 0.75, 1), "narrow": (0.7, 1, 1),
    "low": (1, 1, 0.7), "short": (1, 1, 0.72), "squat": (1.15, 1.15, 0.75), "flat": (1, 1, 0.6), "deep": (1, 1.3, 1),
    "fat": (1.25, 1.25, 1), "thick": (1.25, 1.25, 1), "chubby": (1.2, 1.2, 0.95), "stout": (1.2, 1.2, 0.9),
    "skinny": (0.78, 0.78, 1), "lanky": (0.85, 0.85, 1.1),
}  # fmt: skip
"""Words that stretch the whole: factors across, in depth and in height."""

SIZE = {
    "tiny": 0.4, "miniature": 0.4, "mini": 0.5, "small": 0.65, "little": 0.65, "cute": 0.8, "big": 1.35, "large": 1.4,
    "huge": 1.9, "giant": 2.2, "gigantic": 2.5, "massive": 2.0, "enormous": 2.3, "colossal": 2.6,
}  # fmt: skip
"""Words that scale the whole."""

IRREGULAR = {
    "leaves": "leaf", "shelves": "shelf", "knives": "knife", "feet": "foot", "teeth": "tooth", "men": "man",
    "women": "woman", "children": "child", "mice": "mouse", "geese": "goose", "wolves": "wolf", "branches": "branch",
    "torches": "torch", "boxes": "box", "benches": "bench", "storeys": "story", "stories": "story", "storey": "story",
    "floors": "story", "floor": "story", "storied": "story", "fishes": "fish", "handled": "handle", "eyed": "eye",
    "winged": "wing", "gates": "gate", "hooves": "hoof", "glasses": "glasses", "armrests": "arm", "armrest": "arm",
    "hoops": "hoop",
}  # fmt: skip


def singular(word: str) -> str:
    """The noun that a word of a prompt names: "legs" and "legged" are "leg"."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    for ending in ("gged", "nned", "tted"):
        if word.endswith(ending):
            return word[: -len(ending) + 1]
    if word.endswith("ed") and len(word) > 4:
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
