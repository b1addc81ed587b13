// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOwned} from "./interfaces/IOwned.sol";

/// What a guardian stops goes on after `LIFE`, when anybody says so, and the guardian stops the same thing
/// again only as long after: a stolen key stops it for half of the time at most. What the owner stops
/// stays, also where the guardian had stopped it before.
library GuardianStop {
    /// Zero unless a guardian has stopped the thing.
    struct Stop {
        uint40 startedAt; // of the guardian's newest stop
        bool runs; // nobody has ended it, nor has the owner made it its own
    }

    /// The guardian's stop lasts, or its next one has to wait, until `time`.
    error NotYet(uint256 time);

    uint256 internal constant LIFE = 3 days;

    /// Reverts unless the caller may stop the thing, or let it go on. `isStopped`: it is stopped now.
    function turn(Stop storage stop, bool stops, bool isStopped, address owner, address guardian) internal {
        if (msg.sender == owner) {
            stop.runs = false;
            return;
        }
        // Whoever may not, may not: the guardian neither where the owner has stopped it already.
        bool may = stops ? msg.sender == guardian && (!isStopped || stop.runs) : stop.runs;
        require(may, IOwned.NotOwner(msg.sender));
        uint256 time = stop.startedAt + (stops ? 2 * LIFE : LIFE);
        require(block.timestamp >= time, NotYet(time));
        if (stops) stop.startedAt = uint40(block.timestamp);
        stop.runs = stops;
    }
}
