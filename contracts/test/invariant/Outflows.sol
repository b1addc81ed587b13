// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DevToken} from "../../src/dev/DevToken.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {Cancelling} from "./Cancelling.sol";
import {Stops} from "./Stops.sol";

/// Deposits and withdraws at random, and models the limit that owner and guardian set on the
/// outflow of an hour.
abstract contract Outflows is Cancelling, Stops {
    struct Hour {
        uint256 number; // since 1970
        uint256 balance; // of the engine when it began, or when the limit did
        uint256 room; // at that time
        uint256 paidIn;
        uint256 paidOut;
        uint256 shareMost; // of the limits it has seen
    }

    uint256 private constant BPS = 10_000;

    address internal _owner;
    address internal _guardian;
    mapping(address token => Hour) private _hours;

    /// Begins a new hour's count when one has begun.
    function _beforeFlow(address token) internal {
        (uint16 share,,) = engine.outflowOf(token);
        Hour storage hour = _hours[token];
        if (hour.number != block.timestamp / 3600) _restart(token, share);
        if (share > hour.shareMost) hour.shareMost = share;
    }

    function _restart(address token, uint256 share) private {
        uint256 balance = DevToken(token).balanceOf(address(engine));
        (,, int256 room) = engine.outflowOf(token);
        _hours[token] =
            Hour(block.timestamp / 3600, balance, room < 0 ? 0 : uint256(room), 0, 0, share);
    }

    function _noteIn(address token, uint256 amount) internal {
        _hours[token].paidIn += amount;
    }

    /// The limit permits every withdrawal for which there is room.
    function _mayLeave(address token, uint256 amount) internal view returns (bool) {
        (uint16 share,, int256 room) = engine.outflowOf(token);
        return share == BPS || int256(amount) <= room;
    }

    function _isOfLimit(address token, uint256 amount, bytes4 rule) internal returns (bool) {
        if (rule != ILedger.OutflowAboveLimit.selector) return false;
        vm.assertFalse(_mayLeave(token, amount), "what has room may leave");
        seen["outflow limited"] += 1;
        return true;
    }

    /// The outflow of an hour is at most the room at its beginning, what the share gives back, a
    /// tenth of that share, and the hour's deposits.
    function _noteOut(address token, uint256 amount) internal {
        Hour storage hour = _hours[token];
        hour.paidOut += amount;
        (uint16 share,,) = engine.outflowOf(token);
        if (share == BPS) return;
        uint256 whole = (hour.balance + hour.paidIn) * hour.shareMost / BPS;
        uint256 most = hour.room + hour.paidIn + whole + whole / 10;
        vm.assertLe(hour.paidOut, most, "no more leaves than the room, its growth and a tenth");
    }

    function limitOutflow(uint256 seed) external seeded(seed) {
        address token = _anyToken();
        _beforeFlow(token);
        (uint16 before, uint256 smallBefore,) = engine.outflowOf(token);
        address sender = _oneIn(3) ? _guardian : _owner;
        uint16 share = uint16(_oneIn(3) ? BPS : _oneIn(2) ? 1_000 : _between(1_000, BPS));
        uint256 small = _oneIn(4) ? smallBefore : _roll(20e6);
        bool tightens = before == BPS || (share <= before && small == smallBefore);
        vm.prank(sender);
        try engine.setOutflowLimit(token, share, small) {
            vm.assertTrue(sender == _owner || tightens, "the guardian only tightens");
            if (before == BPS) _restart(token, share);
            else _beforeFlow(token);
            seen["outflow limit set"] += 1;
        } catch {
            vm.assertTrue(
                sender == _guardian && !tightens, "owner and guardian may limit what leaves"
            );
        }
        _forget();
    }

    function _anyToken() internal virtual returns (address);
}
