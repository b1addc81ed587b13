// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../../src/PerpsState.sol";
import {Positions} from "../../../src/Positions.sol";
import {Lots} from "../../../src/ValueTypes.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {IPerpsEvents, PerpParameters} from "../../../src/interfaces/IPerps.sol";
import {Logs} from "../../Logs.sol";
import {Vm} from "../../Vm.sol";
import {ForcedReplay} from "./ForcedReplay.sol";

/// Computes the money of the perpetual engine from its logs and compares it with storage.
abstract contract PerpsReplay is ForcedReplay {
    using Logs for Vm.Log;

    function _readMoney(bytes32 kind, Vm.Log memory log)
        internal
        override
        returns (uint256 steps)
    {
        if (kind == IPerpsEvents.Filled.selector) {
            _filled(log.market(), log.perpFill());
            return 1;
        }
        if (kind == IPerpsEvents.FundingSettled.selector) {
            _settled(log);
        } else if (kind == IPerpsEvents.Marked.selector) {
            _marked(log);
        } else if (kind == IPerpsEvents.LeverageSet.selector) {
            _leverageSet(log);
        } else if (kind == IPerpsEvents.Changed.selector) {
            _changed(log);
        } else if (kind == IPerpsEvents.Liquidating.selector) {
            _liquidating(log);
        } else if (kind == IPerpsEvents.Liquidated.selector) {
            _liquidated(log);
        } else if (kind == IPerpsEvents.Absorbed.selector) {
            _absorbed(log);
        } else if (kind == IPerpsEvents.Deleveraged.selector) {
            _deleveraged(log);
        } else if (kind == IPerpsEvents.LossFlagged.selector) {
            _flagged = log.account(2);
        } else if (kind == IPerpsEvents.LossCleared.selector) {
            _flagged = 0;
        } else if (kind == ILedger.Deposited.selector) {
            _pay(log.account(1), _amountIn(log));
        } else if (kind == ILedger.Withdrawn.selector) {
            _pay(log.account(1), -_amountIn(log));
        } else if (kind == ILedger.Transferred.selector) {
            _transferred(log);
        } else if (kind == IPerpsEvents.ImpactValueSet.selector) {
            _markets[log.market()].impactValue = log.word();
        } else if (kind == IPerpsEvents.CoverSet.selector) {
            _coverSet(log);
        } else if (kind == IPerpsEvents.IndexAgeMaxSet.selector) {
            _markets[log.market()].indexAgeMax = log.word();
        }
    }

    /// The amount with 18 decimals. The data of all three ledger logs begin with it.
    function _amountIn(Vm.Log memory log) private pure returns (int256) {
        return int256(log.word()) * SCALE;
    }

    function _transferred(Vm.Log memory log) private {
        _pay(log.account(1), -_amountIn(log));
        _pay(log.account(2), _amountIn(log));
        if (log.account(1) == 2 && log.account(2) == 1) _rewarded += _amountIn(log);
    }

    function _leverageSet(Vm.Log memory log) private {
        _positions[log.market()][log.account(2)].leverage = log.word();
        _addAffected(log.account(2));
    }

    function _changed(Vm.Log memory log) private {
        _parameters[log.market()] = abi.decode(log.data, (PerpParameters));
    }

    function _coverSet(Vm.Log memory log) private {
        LoggedMarket storage logged = _markets[log.market()];
        (logged.coverNotional, logged.lossBps) = abi.decode(log.data, (uint256, uint256));
    }

    /* FILLS */

    function _filled(uint32 market, Logs.PerpFill memory perpFill) private {
        Logs.Fill memory fill = perpFill.trade;
        Health memory before = _healthOf(fill.maker);
        _fillOrders(market, fill);
        bool buys = _logged[market][fill.takerOrder].buy;
        int256 unit = int256(uint256(fill.tick)) * UNIT;
        int256 lots = int256(uint256(fill.lots));
        _expectFee(perpFill.makerFee, lots * unit, _parameters[market].makerFee);
        _expectFee(perpFill.takerFee, lots * unit, _parameters[market].takerFee);
        // No taker trades beyond the mark +-10%, while the mark lives.
        if (_isStale(market)) {
            vm.assertTrue(_logged[market][fill.takerOrder].reduceOnly, "who takes only closes");
        } else if (buys) {
            vm.assertLe(unit * 10, _markPerLot(market) * 11, "a buyer stops above the mark");
        } else {
            vm.assertGe(unit * 10, _markPerLot(market) * 9, "a seller stops below the mark");
        }
        _fillOne(market, fill.makerOrder, buys ? -lots : lots, unit);
        _fillOne(market, fill.takerOrder, buys ? lots : -lots, unit);
        _pay(fill.maker, -perpFill.makerFee);
        _pay(fill.taker, -perpFill.takerFee);
        _expectMaker(market, fill.maker, !buys, before);
        _pay(2, int256(perpFill.makerFee) + perpFill.takerFee);
    }

    /// A maker has margin for the positions its orders may lead to, and for the move of this
    /// second; one that opens also has twice that of its positions. One that closes may raise its
    /// ratio of equity to margin instead.
    function _expectMaker(uint32 market, uint40 maker, bool bought, Health memory before)
        private
        view
    {
        Health memory health = _healthOf(maker);
        int256 lots = _positions[market][maker].lots;
        int256 margin = _closingMargin(health);
        if (lots == 0 || (lots > 0) != bought) {
            bool backed = health.equity >= margin || _isNoLessBacked(health, before);
            vm.assertTrue(backed, "a maker that closes has margin, or raises its ratio");
            return;
        }
        int256 opening = 2 * health.maintenanceMargin + health.staleNotional / 2 + health.moved;
        vm.assertGe(
            health.equity, margin > opening ? margin : opening, "a maker that opens has margin"
        );
    }

    function _expectFee(int128 fee, int256 value, int32 rate) private pure {
        vm.assertEq(fee, _ceilDiv(value * rate, 1e6), "a fee is rounded up against its payer");
    }

    /// A reduce-only order never increases |lots|.
    function _fillOne(uint32 market, uint40 order, int256 d, int256 unit) private {
        LoggedOrder storage logged = _logged[market][order];
        int256 before = _positions[market][logged.account].lots;
        _trade(market, logged.account, d, unit);
        if (!logged.reduceOnly) return;
        int256 lots = _positions[market][logged.account].lots;
        vm.assertLt(_abs(lots), _abs(before), "reduce-only reduces");
        vm.assertTrue(
            lots == 0 || (lots > 0) == (before > 0), "reduce-only does not flip a position"
        );
        seen["reduce-only filled"] += 1;
    }

    function _reserve(uint32 market, LoggedOrder storage logged, int256 lots) internal override {
        LoggedPosition storage position = _positions[market][logged.account];
        if (logged.buy) position.bidLots += lots;
        else position.askLots += lots;
    }

    /* COMPARING */

    /// The logs determine all collateral and every position. A market's bit of an account is set
    /// exactly while it has a position or orders there.
    function _compareAccount(uint40 account) internal view override {
        PerpsState.Holding memory holding = perps.holdingOf(account);
        vm.assertEq(holding.collateral, _collateral[account], "collateral != logs replayed");
        uint256 markets;
        for (uint32 market = 1; market <= MARKETS; market++) {
            Positions.Position memory position = perps.positionOf(market, account);
            LoggedPosition storage logged = _positions[market][account];
            vm.assertEq(position.lots, logged.lots, "lots != logs replayed");
            vm.assertEq(position.quote, logged.quote, "quote != logs replayed");
            vm.assertEq(
                position.fundingIndex, logged.fundingIndex, "funding index != logs replayed"
            );
            vm.assertEq(position.leverage, logged.leverage, "leverage != logs replayed");
            vm.assertEq(
                int256(uint256(Lots.unwrap(position.bidLots))),
                logged.bidLots,
                "resting bids != logs replayed"
            );
            vm.assertEq(
                int256(uint256(Lots.unwrap(position.askLots))),
                logged.askLots,
                "resting asks != logs replayed"
            );
            if (logged.lots != 0 || logged.bidLots != 0 || logged.askLots != 0) {
                markets |= 1 << market - 1;
            }
        }
        vm.assertEq(
            holding.markets, markets, "a market is an account's while it has lots or orders there"
        );
    }

    /// Mark, funding and parameters match the logs. The mark stays within 0.5% of the index. F
    /// moves in the direction of the hour's rate.
    function _compareMarket(uint32 market) internal override {
        LoggedMarket storage logged = _markets[market];
        PerpsState.Quote memory quote = perps.quoteOf(market);
        vm.assertEq(int256(quote.mark), _mark(market), "mark");
        vm.assertEq(int256(quote.markPerLot), _markPerLot(market), "mark of a lot");
        vm.assertEq(quote.maxLeverage, _parameters[market].maxLeverage, "maximum leverage");
        vm.assertTrue(quote.stale == _isStale(market), "staleness");
        vm.assertLe(
            quote.mark * 200, quote.index * 201, "the mark is within its band above the index"
        );
        vm.assertGe(
            quote.mark * 200, quote.index * 199, "the mark is within its band below the index"
        );
        int256 index = _fundingIndex(market);
        vm.assertEq(quote.fundingIndex, index, "funding index");
        vm.assertTrue(
            logged.rate == 0 || logged.perSecond == 0
                || (logged.rate < 0) == (logged.perSecond < 0),
            "sign of funding"
        );
        if (logged.settledTimeSeen == logged.settledTime) {
            int256 moved = index - logged.fundingIndexSeen;
            vm.assertTrue(
                moved == 0 || (moved < 0) == (logged.rate < 0), "the index moves as the rate says"
            );
        }
        (logged.fundingIndexSeen, logged.settledTimeSeen) = (index, logged.settledTime);
    }
}
