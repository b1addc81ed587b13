// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Models the stops of a guardian: after three days anyone may end one, and the guardian waits as
/// long again before the next.
abstract contract Stops {
    struct Stopped {
        uint256 startedAt;
        bool runs;
    }

    uint256 private constant STOP_LIFE = 3 days;

    mapping(bytes32 thing => Stopped) private _stopped;

    /// Returns whether the guardian, or anyone but the owner, may stop or resume `thing`.
    function _mayTurn(bytes32 thing, bool stops, bool isStopped) internal view returns (bool) {
        Stopped memory stopped = _stopped[thing];
        if (!stops) return stopped.runs && block.timestamp >= stopped.startedAt + STOP_LIFE;
        if (isStopped && !stopped.runs) return false; // by the owner
        return stopped.startedAt == 0 || block.timestamp >= stopped.startedAt + 2 * STOP_LIFE;
    }

    function _noteTurn(bytes32 thing, bool stops, bool byOwner) internal {
        _stopped[thing].runs = stops && !byOwner;
        if (stops && !byOwner) _stopped[thing].startedAt = block.timestamp;
    }
}
