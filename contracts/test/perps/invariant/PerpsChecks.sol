// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../../src/Funding.sol";
import {PerpsState} from "../../../src/PerpsState.sol";
import {Positions} from "../../../src/Positions.sol";
import {Book} from "../../../src/Book.sol";
import {AccountId, Lots} from "../../../src/ValueTypes.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {PerpsReplay} from "./PerpsReplay.sol";

/// Checks the whole state of the perpetual engine and the health of single accounts.
abstract contract PerpsChecks is PerpsReplay {
    DevToken internal usdc;
    int256 internal _donated;

    /* THE WHOLE STATE */

    function check() external view {
        for (uint32 market = 1; market <= MARKETS; market++) {
            _checkBook(market);
            _checkLots(market);
            _checkFunding(market);
            _checkReserved(market);
        }
        for (uint40 account = 1; account <= accountCount(); account++) {
            _compareAccount(account);
            _checkHealth(account);
        }
        _checkEquity();
        _checkKeys();
    }

    /// Per market, the sum of lots over all accounts is 0, and open interest is the sum of the
    /// positive ones.
    function _checkLots(uint32 market) private view {
        (int256 sum, int256 long) = (0, 0);
        for (uint40 account = 1; account <= accountCount(); account++) {
            int256 lots = perps.positionOf(market, account).lots;
            sum += lots;
            if (lots > 0) long += lots;
        }
        (, Funding.Activity memory activity) = perps.fundingOf(market);
        vm.assertEq(sum, int256(0), "lots bought != lots sold");
        vm.assertEq(
            int256(uint256(activity.openInterest)), long, "open interest != sum of long lots"
        );
    }

    /// Funding is zero-sum: the payments and debts of all accounts add up to zero, at any moment.
    /// The stored values follow from the logs.
    function _checkFunding(uint32 market) private view {
        LoggedMarket storage logged = _markets[market];
        int256 sum = logged.fundingPaid;
        for (uint40 account = 1; account <= accountCount(); account++) {
            Positions.Position memory position = perps.positionOf(market, account);
            sum += int256(position.lots) * (_fundingIndex(market) - position.fundingIndex);
        }
        vm.assertEq(sum, int256(0), "funding paid and owed by all");
        (Funding.Carry memory carry, Funding.Activity memory activity) = perps.fundingOf(market);
        vm.assertEq(carry.cumulative, logged.cumulative, "cumulative funding");
        vm.assertEq(carry.perSecond, logged.perSecond, "funding per second");
        vm.assertEq(carry.time, logged.settledTime, "settled hour");
        vm.assertEq(carry.indexAgeMax, logged.indexAgeMax, "age of the index");
        vm.assertEq(activity.rate, logged.rate, "rate of the hour");
        vm.assertEq(activity.hourMark, logged.hourMark, "mark of the hour");
        vm.assertEq(activity.premiumSum, logged.premiumSum, "premiums of the hour");
        vm.assertEq(activity.sampledSeconds, logged.sampledSeconds, "sampled seconds of the hour");
        vm.assertEq(activity.pokedAt, logged.pokedAt, "last sample");
        vm.assertEq(activity.impactValue, logged.impactValue, "impact value");
        PerpsState.Cover memory cover = perps.coverOf(market);
        vm.assertEq(cover.paid, logged.insurancePaid, "what insurance has paid in the market");
    }

    /// A position's resting lots are those of the account's orders in the book.
    function _checkReserved(uint32 market) private view {
        uint256[] memory bids = new uint256[](accountCount() + 1);
        uint256[] memory asks = new uint256[](accountCount() + 1);
        uint40[] storage live = _live[market];
        for (uint256 i = 0; i < live.length; i++) {
            Book.Order memory order = engine.orderAt(market, live[i]);
            if (Book.isBuy(order)) {
                bids[AccountId.unwrap(order.account)] += Lots.unwrap(order.lots);
            } else {
                asks[AccountId.unwrap(order.account)] += Lots.unwrap(order.lots);
            }
        }
        _checkReduceOnly(market);
        for (uint40 account = 1; account <= accountCount(); account++) {
            Positions.Position memory position = perps.positionOf(market, account);
            vm.assertEq(Lots.unwrap(position.bidLots), bids[account], "resting bids of a position");
            vm.assertEq(Lots.unwrap(position.askLots), asks[account], "resting asks of a position");
        }
    }

    /// So are those of its reduce-only orders, which keep further ones from closing it twice.
    function _checkReduceOnly(uint32 market) private view {
        uint256[] memory bids = new uint256[](accountCount() + 1);
        uint256[] memory asks = new uint256[](accountCount() + 1);
        uint40[] storage live = _live[market];
        for (uint256 i = 0; i < live.length; i++) {
            Book.Order memory order = engine.orderAt(market, live[i]);
            if (!Book.isReduceOnly(order)) continue;
            if (Book.isBuy(order)) {
                bids[AccountId.unwrap(order.account)] += Lots.unwrap(order.lots);
            } else {
                asks[AccountId.unwrap(order.account)] += Lots.unwrap(order.lots);
            }
        }
        for (uint40 account = 1; account <= accountCount(); account++) {
            PerpsState.ReduceOnly memory resting = perps.reduceOnlyOf(market, account);
            vm.assertEq(Lots.unwrap(resting.bidLots), bids[account], "resting reduce-only bids");
            vm.assertEq(Lots.unwrap(resting.askLots), asks[account], "resting reduce-only asks");
        }
    }

    /// At any mark, the equity of all accounts is deposits minus withdrawals, and equals the
    /// engine's balance: funding, fees, profits and liquidations only move it, to the last unit.
    function _checkEquity() private view {
        int256[3] memory sums; // at the marks, at next to nothing, at far more
        for (uint40 account = 1; account <= accountCount(); account++) {
            int256 cash = perps.holdingOf(account).collateral;
            sums[0] += perps.healthOf(account).equity;
            sums[1] += cash;
            sums[2] += cash;
            for (uint32 market = 1; market <= MARKETS; market++) {
                Positions.Position memory position = perps.positionOf(market, account);
                int256 rest = position.quote - int256(position.lots)
                    * (perps.quoteOf(market).fundingIndex - position.fundingIndex);
                sums[1] += rest + position.lots;
                sums[2] += rest + int256(position.lots) * 123_456_789e18;
            }
        }
        int256 held = int256(usdc.balanceOf(address(perps))) * SCALE - _donated;
        for (uint256 i = 0; i < 3; i++) {
            vm.assertEq(sums[i], held, "equity of all != tokens held");
        }
    }

    /// Equity and margins follow from the logs.
    function _checkHealth(uint40 account) private view {
        Health memory health = _healthOf(account);
        PerpsState.Health memory stored = perps.healthOf(account);
        vm.assertEq(stored.equity, health.equity, "equity != logs replayed");
        vm.assertEq(
            int256(stored.initialMargin), health.initialMargin, "initial margin != logs replayed"
        );
        vm.assertEq(
            int256(stored.maintenanceMargin),
            health.maintenanceMargin,
            "maintenance margin != logs replayed"
        );
        vm.assertEq(
            int256(stored.exposureMargin),
            health.exposureMargin,
            "exposure margin != logs replayed"
        );
        vm.assertEq(int256(stored.notional), health.notional, "notional != logs replayed");
        vm.assertTrue((stored.staleAsset != 0) == health.stale, "stale positions");
    }
}
