// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOwned} from "./interfaces/IOwned.sol";

/// Limits how long a guardian can stop something. After `LIFE` anyone may resume it, and the
/// guardian can stop the same thing again only another `LIFE` later, so a stolen guardian key can
/// stop it at most half of the time. A stop by the owner has no such limit, even if the guardian
/// had stopped it before.
library GuardianStop {
    /// All zero unless a guardian has stopped the thing.
    struct Stop {
        uint40 startedAt; // of the guardian's newest stop
        bool runs; // neither ended nor taken over by the owner
    }

    /// Too early: the guardian's stop cannot be ended, or repeated, before `time`, Unix seconds.
    error NotYet(uint256 time);

    uint256 internal constant LIFE = 3 days;

    /// Records that the caller stops or resumes something; `isStopped` is the current state.
    /// Reverts with NotOwner or NotYet.
    function turn(Stop storage stop, bool stops, bool isStopped, address owner, address guardian)
        internal
    {
        if (msg.sender == owner) {
            stop.runs = false;
            return;
        }
        // The guardian may not prolong a stop of the owner's by stopping the thing again.
        bool may = stops ? msg.sender == guardian && (!isStopped || stop.runs) : stop.runs;
        require(may, IOwned.NotOwner(msg.sender));
        uint256 time = stop.startedAt + (stops ? 2 * LIFE : LIFE);
        require(block.timestamp >= time, NotYet(time));
        if (stops) stop.startedAt = uint40(block.timestamp);
        stop.runs = stops;
    }
}
