# SPDX-License-Identifier: GPL-3.0-or-later
# Second preimages of XXH3-128, which is no cryptographic hash: 128 bytes that are free suffice, where the secret is known.

import struct

MASK = 2 ** 64 - 1
PRIMES_32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
PRIMES_64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248e"
    "e03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d"
    "8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc"
    "8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
STRIPE, BLOCK = 64, 1024  # in a block, 16 stripes


def word(data, offset):
    return struct.unpack_from("<Q", data, offset)[0]


def state(data, blocks, stripes):
    """The accumulators after so many whole blocks of @data, and stripes of the next one."""
    acc = [PRIMES_32[2], *PRIMES_64[:4], PRIMES_32[1], PRIMES_64[4], PRIMES_32[0]]
    for number in range(blocks * BLOCK // STRIPE + stripes):
        in_block = number % (BLOCK // STRIPE)
        for i in range(8):
            value = word(data, STRIPE * number + 8 * i)
            keyed = value ^ word(SECRET, 8 * in_block + 8 * i)
            acc[i ^ 1] = (acc[i ^ 1] + value) & MASK
            acc[i] = (acc[i] + (keyed & 0xffffffff) * (keyed >> 32)) & MASK
        if in_block == 15:
            acc = [(a ^ a >> 47 ^ word(SECRET, 128 + 8 * i)) * PRIMES_32[0] & MASK for i, a in enumerate(acc)]
    return acc


def match(victim, data, block):
    """@data with the last 128 bytes of its @block such that its digest is that of @victim, from which it differs before."""
    target, acc = state(victim, block, 16), state(data, block, 14)
    # What is scrambled last can be undone; the sums before it are matched by products that are zero.
    wanted = before_scrambling(target)
    free = bytearray(128)
    for i in range(8):
        first, second = word(SECRET, 8 * 14 + 8 * i), word(SECRET, 8 * 15 + 8 * i)
        missing = (wanted[i ^ 1] - acc[i ^ 1]) & MASK
        rest = (missing - ((first >> 32 << 32) + (second & 0xffffffff))) & MASK
        struct.pack_into("<Q", free, 8 * i, first >> 32 << 32 | rest & 0xffffffff)
        struct.pack_into("<Q", free, 64 + 8 * i, rest >> 32 << 32 | second & 0xffffffff)
    end = BLOCK * (block + 1)
    matched = data[:end - 128] + bytes(free) + data[end:]
    assert state(matched, block, 16) == target
    return matched


def before_scrambling(acc):
    inverse = pow(PRIMES_32[0], -1, 2 ** 64)
    found = []
    for i, a in enumerate(acc):
        mixed = a * inverse & MASK ^ word(SECRET, 128 + 8 * i)
        found.append(mixed ^ mixed >> 47)
    return found
