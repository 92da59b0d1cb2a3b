"""A Holarchy model as an environment for reinforcement learning, in the manner of Gymnasium. Needs the standard library alone.

    env = HolarchyEnv("model.holo", ["npm", "run", "--silent", "holarchy", "--"])
    observation, info = env.reset(seed=1)
    while True:
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        if terminated or truncated:
            break
    env.close()

Observations and continuous actions are lists of numbers from -1 to 1, scaled by the bounds of the Decide step. Where several deciders take turns, `info["decider"]`
names the one that decides next, whose observation and reward since its last action these are; `info["ended"]` has those that are done.
"""

import json
import random
import subprocess


class Box:
    """`size` numbers, each from `low` to `high`."""

    def __init__(self, low, high, size):
        self.low, self.high, self.shape = low, high, (size,)

    def sample(self):
        return [random.uniform(self.low, self.high) for _ in range(self.shape[0])]

    def contains(self, value):
        return len(value) == self.shape[0] and all(self.low <= one <= self.high for one in value)


class Discrete:
    """Whole numbers from 0 to n - 1."""

    def __init__(self, n):
        self.n, self.shape = n, ()

    def sample(self, mask=None):
        possible = [k for k in range(self.n) if mask is None or mask[k]]
        return random.choice(possible)

    def contains(self, value):
        return 0 <= value < self.n


class ModelError(Exception):
    """The model failed, or an action could not be taken."""


class HolarchyEnv:
    metadata = {"render_modes": []}
    render_mode = None

    def __init__(self, file, holarchy=("holarchy",), scenario=None, ticks=None, settings=None):
        """`holarchy`: the command line's program and first arguments. `settings`: public variables by name."""
        command = [*holarchy, "serve", "--gym", str(file)]
        if scenario is not None:
            command += ["--scenario", scenario]
        if ticks is not None:
            command += ["--ticks", str(ticks)]
        for name, value in (settings or {}).items():
            command += ["--set", f"{name}={json.dumps(value)}"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.spaces = self._ask({"do": "spaces"})["deciders"]
        first = self.spaces[0]
        self.observation_space = Box(-1.0, 1.0, len(first["observations"]))
        self.action_space = Discrete(first["choices"]) if first["choices"] > 0 else Box(-1.0, 1.0, len(first["actions"]))

    @property
    def unwrapped(self):
        return self

    def reset(self, seed=None, options=None):
        answer = self._ask({"do": "reset"} if seed is None else {"do": "reset", "seed": seed})
        return answer.get("observation", []), self._info(answer)

    def step(self, action):
        if hasattr(action, "tolist"):
            action = action.tolist()
        answer = self._ask({"do": "step", "action": action if isinstance(action, (int, float)) else list(action)})
        terminated, truncated = answer.get("terminated", False), answer.get("truncated", answer["over"])
        return answer.get("observation", []), answer.get("reward", 0.0), terminated, truncated, self._info(answer)

    def close(self):
        if self._process.poll() is None:
            self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @staticmethod
    def _info(answer):
        return {name: answer.get(name) for name in ("decider", "mask", "time", "ended", "over")}

    def _ask(self, command):
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if line == "":
            raise ModelError("the model's process has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise ModelError(answer["error"])
        return answer
