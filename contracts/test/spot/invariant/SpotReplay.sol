// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../../../src/Book.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {ISpot, ISpotEvents} from "../../../src/interfaces/ISpot.sol";
import {Logs} from "../../Logs.sol";
import {Vm} from "../../Vm.sol";
import {Outflows} from "../../invariant/Outflows.sol";
import {SignedTrading} from "../../invariant/SignedTrading.sol";

/// Computes the money of the spot engine from its logs, independently of its storage.
abstract contract SpotReplay is Outflows {
    using Logs for Vm.Log;

    ISpot internal spot;
    address[3] internal _assets;
    /// Free and escrowed together, and the escrowed part.
    mapping(uint40 account => mapping(address token => uint256)) internal _owned;
    mapping(uint40 account => mapping(address token => uint256)) internal _escrow;
    mapping(uint32 market => address) private _bases;
    mapping(uint32 market => address) private _quotes;
    mapping(uint32 market => Book.Units) private _units;

    function _startReplay() internal {
        for (uint32 market = 1; market <= MARKETS; market++) {
            (_bases[market], _quotes[market]) = spot.tokensOf(market);
            _units[market] = spot.unitsOf(market);
        }
    }

    /// @inheritdoc SignedTrading
    function _stepsOf(uint32 market)
        internal
        view
        override
        returns (uint256 priceStep, uint256 amountStep)
    {
        Book.Units storage units = _units[market];
        if (units.amountStep == 0) return (1, 1);
        amountStep = units.amountStep;
        priceStep = units.quotePerLotTick * 10 ** units.baseDecimals / amountStep;
    }

    function _readMoney(bytes32 kind, Vm.Log memory log)
        internal
        override
        returns (uint256 steps)
    {
        if (kind == ISpotEvents.Filled.selector) {
            Logs.Fill memory fill = log.fill();
            uint32 market = log.market();
            _fillOrders(market, fill);
            _swap(market, fill);
            steps = 1;
        } else if (kind == ILedger.Deposited.selector) {
            _owned[log.account(1)][log.token(2)] += abi.decode(log.data, (uint256));
            _addAffected(log.account(1));
        } else if (kind == ILedger.Withdrawn.selector) {
            (uint256 amount,) = abi.decode(log.data, (uint256, address));
            _owned[log.account(1)][log.token(2)] -= amount;
            _addAffected(log.account(1));
        } else if (kind == ILedger.Transferred.selector) {
            uint256 amount = abi.decode(log.data, (uint256));
            _owned[log.account(1)][log.token(3)] -= amount;
            _owned[log.account(2)][log.token(3)] += amount;
            _addAffected(log.account(1));
            _addAffected(log.account(2));
        }
    }

    function _swap(uint32 market, Logs.Fill memory fill) private {
        bool buys = _logged[market][fill.takerOrder].buy;
        (uint40 buyer, uint40 seller) = buys ? (fill.taker, fill.maker) : (fill.maker, fill.taker);
        uint256 amount = uint256(fill.lots) * _units[market].amountStep;
        uint256 cost = uint256(fill.lots) * fill.tick * _units[market].quotePerLotTick;
        _owned[buyer][_quotes[market]] -= cost;
        _owned[seller][_quotes[market]] += cost;
        _owned[seller][_bases[market]] -= amount;
        _owned[buyer][_bases[market]] += amount;
    }

    /// Resting orders are escrowed: a bid's cost at its own tick, an ask's lots.
    function _reserve(uint32 market, LoggedOrder storage logged, int256 lots) internal override {
        Book.Units storage units = _units[market];
        uint256 perLot =
            logged.buy ? uint256(logged.tick) * units.quotePerLotTick : units.amountStep;
        address token = logged.buy ? _quotes[market] : _bases[market];
        uint256 escrow = _escrow[logged.account][token];
        _escrow[logged.account][token] = uint256(int256(escrow) + lots * int256(perLot));
    }

    function _checkPlaced(uint32, uint40, LoggedOrder storage logged) internal view override {
        // Where there are no positions there are no reduce-only orders.
        vm.assertFalse(logged.reduceOnly, "no reduce-only order at spot");
    }

    /// The logs determine every balance.
    function _compareAccount(uint40 account) internal view override {
        for (uint256 i = 0; i < 3; i++) {
            address token = _assets[i];
            vm.assertEq(
                spot.balanceOf(account, token) + _escrow[account][token],
                _owned[account][token],
                "balance + escrow != logs replayed"
            );
        }
    }
}
