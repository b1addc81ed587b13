// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Distressed} from "./Distressed.sol";
import {Funding} from "./Funding.sol";
import {Positions} from "./Positions.sol";
import {Lots} from "./ValueTypes.sol";

/// Limits the share of a market that insurance may hold and lose. One fund covers all markets, so
/// without limits the market whose price is easiest to move could drain it.
abstract contract Insurance is Distressed {
    using Positions for Positions.Position;

    uint256 private constant BPS = 10_000;
    /// Maximum value of a position as a multiple of the allowed loss in the market. A price move of
    /// more than a tenth is held, so one move costs at most the allowed loss.
    uint256 private constant NOTIONAL_FACTOR = 10;

    /// Insurance leaves less than a twentieth of a position to winners, so that takeovers lot by
    /// lot earn no rewards.
    uint256 private constant PARTS = 20;

    /// The lots of the position that insurance may take over, and its equity. Afterwards it must
    /// stay within the market's cover and its own maintenance margin, unless its position shrinks;
    /// it never pays more than it has, nor more than the market may still lose.
    function _roomOf(Distress memory distress)
        internal
        view
        returns (uint256 room, int256 insured)
    {
        Health memory health = _storedHealth(INSURANCE_ACCOUNT);
        insured = health.equity;
        uint256 lots = Positions.abs(distress.lots);
        int256 share = _shareOf(distress, lots);
        Positions.Position memory own = _positions[distress.market][INSURANCE_ACCOUNT];
        room = Lots.unwrap(own.closable(distress.lots > 0));
        if (room < lots) {
            room += _growthOf(distress, own, health, share);
        }
        if (room > lots) room = lots;
        if (share < 0) {
            int256 left = _leftOf(distress.market, insured, distress.quote.markPerLot);
            uint256 paid = left > 0 ? uint256(left) * lots / uint256(-share) : 0;
            if (paid < room) room = paid;
        } else if (insured + share < 0) {
            room = 0; // its equity would stay negative: takes nothing over
        }
        if (room * PARTS < lots) room = 0;
    }

    /// The lots by which insurance may grow its position, after closing its position on the other
    /// side.
    function _growthOf(
        Distress memory distress,
        Positions.Position memory own,
        Health memory health,
        int256 share
    ) private view returns (uint256 growth) {
        uint256 lots = Positions.abs(distress.lots);
        uint256 closed = Lots.unwrap(own.closable(distress.lots > 0));
        uint256 mark = distress.quote.markPerLot;
        if (_leftOf(distress.market, health.equity, mark) <= 0) return 0;
        if (mark == 0) return lots;
        uint256 most = _maxNotional(distress.market, health.equity) / mark;
        uint256 held = closed == 0 ? Positions.abs(own.lots) : 0;
        growth = most > held ? most - held : 0;
        int256 needed = int256(distress.margin) - share; // for all of its lots
        if (needed <= 0) return growth;
        int256 spare = health.equity + share * int256(closed) / int256(lots)
            - int256(health.maintenanceMargin - _maintenanceOf(closed, distress.quote));
        uint256 affordable = spare > 0 ? uint256(spare) * lots / uint256(needed) : 0;
        if (affordable < growth) growth = affordable;
    }

    function _maxNotional(uint32 market, int256 insured) private view returns (uint256) {
        Cover storage cover = _covers[market];
        uint256 most = uint256(insured) * cover.lossBps * NOTIONAL_FACTOR / BPS;
        return most < cover.maxNotional ? most : cover.maxNotional;
    }

    /// The loss that the market may still cause insurance: its share of the fund as it would be
    /// without the market, minus the loss so far, and at most `insured`. A lot of its position is
    /// worth `perLot`.
    function _leftOf(uint32 market, int256 insured, uint256 perLot)
        internal
        view
        returns (int256)
    {
        Cover storage cover = _covers[market];
        Positions.Position memory own = _positions[market][INSURANCE_ACCOUNT];
        int256 cost = cover.paid - own.equity(perLot, Funding.indexOf(_carries[market]));
        int256 fund = insured + (cost > 0 ? cost : int256(0));
        int256 left = fund * int256(uint256(cover.lossBps)) / int256(BPS) - cost;
        return left < insured ? left : insured;
    }

    function _insuranceHeld() internal view returns (int256) {
        return _holdings[INSURANCE_ACCOUNT].collateral;
    }

    /// Records the loss of an insurance trade relative to the collateral `held` before it. Profit
    /// of a market beyond its losses stays in the fund once the position is closed.
    function _count(uint32 market, int256 held) internal {
        Cover storage cover = _covers[market];
        int256 paid = cover.paid + held - _insuranceHeld();
        if (paid < 0 && _positions[market][INSURANCE_ACCOUNT].lots == 0) paid = 0;
        cover.paid = Positions.toInt128(paid);
    }
}
