// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {Positions} from "../../src/Positions.sol";
import {IBook} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {Vm} from "../Vm.sol";
import {VectorVenue} from "./VectorVenue.sol";

/// Writes accounts that the engine closes by force, with the results: on the book, by insurance, by
/// deleveraging.
contract ForcedCloseVectors is VectorVenue {
    uint256 private constant SIGHTINGS_SLOT = 15; // of Perps
    using Positions for Positions.Position;

    address private constant OTHER = address(0x07E4);
    uint256 private constant CASES = 220;
    uint40 private constant INSURANCE_ACCOUNT = 1;

    uint32 private closing; // the market of the case

    function test_forced_closes_are_written() external {
        string memory path = _openFile("forced-closes");
        uint256 start = FILES.snapshotState();
        for (uint256 i = 0; i < CASES; i++) {
            Case memory one = _case(path, i);
            closing = i % 3 == 0 ? FINE : 1;
            if (_distress(one, _below(one, 2) == 0)) {
                _nominate(one);
                _putBefore(one);
                _close(one);
                _putAfter(one);
                _end(one);
            }
            FILES.revertToState(start);
        }
    }

    /* BEFORE */

    /// Opens positions with little behind them and moves the price against them: mostly until the
    /// maintenance margin is not covered any more, else farther.
    function _distress(Case memory one, bool long) private returns (bool) {
        uint256 leverage = _between(one, 12, 16);
        // Close to the notional above which positions close in slices, far above it, or any.
        uint256 kind = _below(one, 4);
        uint256 percent = kind == 0 ? _between(one, 98, 110) : _between(one, 150, 900);
        uint256 collateral = kind <= 1
            ? 100_000e6 / leverage * percent / 100
            : _between(one, 1, 10 ** _between(one, 1, 5)) * 1e6 + 500e6;
        trader = _deposit(TRADER, collateral);
        if (_below(one, 3) != 0) _deposit(INSURANCE, _size(one, 5) * 1e6);
        _cover(one);
        if (_below(one, 3) != 0) _age(one);
        if (_below(one, 3) == 0) _take(2, _below(one, 2) == 0, 0, _lots(2, 3));
        _take(closing, long, _signed(one, 2), _lots(closing, leverage));
        int256 kept = _below(one, 3) != 0 ? int256(_between(one, 17, 24)) : _signed(one, 16);
        int256 fall = int256(1000 / leverage) - kept;
        _move(one, closing, long ? -fall : fall);
        if (kind == 1) _beginSlice(one, long);
        else _quote(one, long);
        PerpsState.Health memory health = perps.liquidationHealthOf(trader);
        return health.equity < int256(health.maintenanceMargin)
            && perps.positionOf(closing, trader).lots != 0;
    }

    /// Insurance may take all lots that its margin allows, or less; it may hold a position already.
    function _cover(Case memory one) private {
        uint256 kind = _below(one, 3);
        if (kind != 0) {
            uint96 most = kind == 1 ? type(uint96).max : uint96(_size(one, 6) * 1e18);
            uint16 loss = kind == 1 ? 10_000 : uint16(_between(one, 100, 10_000));
            vm.prank(OWNER);
            perps.setCover(closing, most, loss);
        }
        uint256 equity = uint256(perps.healthOf(INSURANCE_ACCOUNT).equity);
        if (_below(one, 2) == 0 || equity < 10e18) return;
        uint64 lots = uint64(equity * _between(one, 1, 4) / perps.quoteOf(closing).markPerLot);
        bool buy = _below(one, 2) == 0;
        _place(WHALE, closing, !buy, _tick(closing, 0), lots);
        _place(INSURANCE, closing, buy, _tick(closing, 0), lots);
    }

    /// The lots that `times` the trader's collateral buys.
    function _lots(uint32 market, uint256 times) private view returns (uint64) {
        uint256 collateral = uint256(int256(perps.holdingOf(trader).collateral));
        return uint64(collateral * times / perps.quoteOf(market).markPerLot + 1);
    }

    /// The whale rests levels from the mark to beyond the limit of a forced order, or none.
    function _quote(Case memory one, bool long) private {
        if (perps.positionOf(closing, trader).lots == 0) return; // insurance has taken it
        uint256 levels = _below(one, 4);
        int256 away = int256(_below(one, 8));
        for (uint256 i = 0; i < levels; i++) {
            uint64 lots = uint64(
                Positions.abs(perps.positionOf(closing, trader).lots) * _between(one, 5, 60) / 100
                    + 1
            );
            _place(WHALE, closing, long, _tick(closing, long ? -away : away), lots);
            away += int256(_between(one, 1, 8));
        }
    }

    /// A slice has begun, mostly in part, and not much time has passed since.
    function _beginSlice(Case memory one, bool long) private {
        uint64 lots = uint64(
            Positions.abs(perps.positionOf(closing, trader).lots) * _between(one, 1, 25) / 100
        );
        _place(WHALE, closing, long, _tick(closing, long ? -int256(2) : int256(2)), lots);
        _seeBelow();
        try perps.liquidate(trader, closing, new uint40[](0)) {} catch {}
        _pass(_below(one, 40));
        _quote(one, long);
    }

    /// Nominates the whale, where insurance cannot pay. Sometimes it has won little by then on each
    /// lot.
    function _nominate(Case memory one) private {
        if (_below(one, 2) == 0) _thin(one);
        try perps.nominate(trader, whale, closing) {
            _pass(10);
        } catch {}
    }

    /// The whale increases its position at the mark, trading with another account.
    function _thin(Case memory one) private {
        int64 held = perps.positionOf(closing, trader).lots;
        uint64 lots = uint64(Positions.abs(held) * _between(one, 1, 40));
        _deposit(OTHER, 1e15);
        _place(OTHER, closing, held > 0, _tick(closing, 0), lots);
        _place(WHALE, closing, held < 0, _tick(closing, 0), lots);
    }

    function _putBefore(Case memory one) private view {
        PerpsState.Health memory health = perps.healthOf(trader);
        _putWinner(one);
        _putAccount(one, trader);
        _put(one, "equity", health.equity);
        _put(one, "maintenanceMargin", health.maintenanceMargin);
        PerpsState.Health memory favoured = perps.liquidationHealthOf(trader);
        _put(one, "favouredEquity", favoured.equity);
        _put(one, "favouredMargin", favoured.maintenanceMargin);
        _put(one, "market", closing);
        _put(one, "quotePerLotTick", _unit(closing));
        _put(one, "takerFee", int256(_parameters(LEVERAGE).takerFee));
        _put(one, "maxOrderValue", _parameters(LEVERAGE).maxOrderValue);
        PerpsState.Holding memory holding = perps.holdingOf(trader);
        bool runs = block.timestamp < holding.partlyLiquidatedAt + 30;
        _put(one, "sliceClosed", runs ? holding.sliceClosed : 0);
        _putInsurance(one);
        _put(one, "insuranceCollateral", perps.holdingOf(INSURANCE_ACCOUNT).collateral);
    }

    function _putInsurance(Case memory one) private view {
        PerpsState.Quote memory quote = perps.quoteOf(closing);
        Positions.Position memory own = perps.positionOf(closing, INSURANCE_ACCOUNT);
        PerpsState.Health memory health = perps.healthOf(INSURANCE_ACCOUNT);
        PerpsState.Cover memory cover = perps.coverOf(closing);
        _put(one, "insuranceEquity", health.equity);
        _put(one, "insuranceMargin", health.maintenanceMargin);
        _put(one, "insuranceLots", own.lots);
        _put(one, "insuranceWorth", own.equity(quote.markPerLot, quote.fundingIndex));
        _put(one, "coverNotional", cover.maxNotional);
        _put(one, "coverLossBps", cover.lossBps);
        _put(one, "coverPaid", cover.paid);
    }

    function _putWinner(Case memory one) private view {
        PerpsState.Quote memory quote = perps.quoteOf(closing);
        Positions.Position memory position = perps.positionOf(closing, whale);
        PerpsState.Health memory health = perps.healthOf(whale);
        _put(one, "winnerLots", position.lots);
        _put(one, "winnerProfit", position.equity(quote.markPerLot, quote.fundingIndex));
        _put(one, "winnerEquity", health.equity);
        _put(one, "winnerMaintenanceMargin", health.maintenanceMargin);
    }

    /* CLOSING */

    /// Has the contract believe that the trader was first seen below its margin 30 s ago, so that
    /// the limit of a forced order is as far from the mark as it gets.
    function _seeBelow() private {
        uint256 sighting = block.timestamp - 30 | block.timestamp << 40;
        bytes32 slot = keccak256(abi.encode(trader, SIGHTINGS_SLOT));
        vm.store(address(perps), slot, bytes32(sighting));
    }

    /// Liquidates, and deleverages where insurance cannot pay.
    function _close(Case memory one) private {
        _seeBelow();
        vm.recordLogs();
        if (_below(one, 3) != 0) vm.prank(WHALE); // is an account, and so gets its part of the fee
        try perps.liquidate(trader, closing, new uint40[](0)) {}
        catch {
            // Else a slice has closed all that it may.
            if (
                perps.healthOf(trader).equity * 3
                    >= int256(perps.healthOf(trader).maintenanceMargin * 2)
            ) return;
            perps.deleverage(trader, closing, new uint40[](0));
        }
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; i++) {
            _putLog(one, logs[i]);
        }
    }

    function _putLog(Case memory one, Vm.Log memory log) private pure {
        bytes32 topic = log.topics[0];
        if (topic == IBook.Placed.selector) {
            (,, uint24 tick, uint64 lots) = abi.decode(log.data, (uint40, bool, uint24, uint64));
            _put(one, "limitTick", tick);
            _put(one, "placedLots", lots);
        } else if (topic == IPerpsEvents.Liquidated.selector) {
            (uint64 lots, uint256 fee, uint40 keeper) =
                abi.decode(log.data, (uint64, uint256, uint40));
            _put(one, "filledLots", lots);
            _put(one, "fee", fee);
            _put(one, "keeper", keeper);
        } else if (topic == IPerpsEvents.Absorbed.selector) {
            (int64 lots, uint256 unit, int256 collateral) =
                abi.decode(log.data, (int64, uint256, int256));
            _put(one, "absorbedLots", lots);
            _put(one, "unit", unit);
            _put(one, "share", collateral);
        } else if (topic == ILedger.Transferred.selector) {
            _put(one, "reward", int256(abi.decode(log.data, (uint256))));
        } else if (topic == IPerpsEvents.Deleveraged.selector) {
            (int64 lots, int256 unit) = abi.decode(log.data, (int64, int256));
            _put(one, "deleveragedLots", lots);
            _put(one, "unit", unit);
        }
    }

    function _putAfter(Case memory one) private view {
        PerpsState.Health memory health = perps.healthOf(trader);
        _put(one, "equityAfter", health.equity);
        _put(one, "maintenanceMarginAfter", health.maintenanceMargin);
        _put(one, "collateralAfter", perps.holdingOf(trader).collateral);
        _put(one, "insuranceEquityAfter", perps.healthOf(INSURANCE_ACCOUNT).equity);
    }
}
