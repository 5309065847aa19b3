STRIKE = 10


def parse(card):
    """Turn a score card such as 'X 7/ 9-' into a list of pins per roll."""
    rolls = []
    for mark in card.replace(" ", ""):
        if mark == "X":
            rolls.append(10)
        elif mark == "/":
            rolls.append(10 - rolls[-1])
        elif mark == "-":
            rolls.append(0)
        else:
            rolls.append(int(mark))
    return rolls


def frame_scores(rolls):
    """Score of each of the ten frames of a finished game."""
    scores = []
    i = 0
    for _ in range(10):
        if rolls[i] == STRIKE:
            scores.append(10 + rolls[i + 1] + rolls[i + 2])
            i += 1
        elif rolls[i] + rolls[i + 1] == 10:
            scores.append(10 + rolls[i + 2])
            i += 2
        else:
            scores.append(rolls[i] + rolls[i + 1])
            i += 2
    return scores


def score(card):
    return sum(frame_scores(parse(card)))
