// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lens} from "../../src/Lens.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {VectorVenue} from "./VectorVenue.sol";

/// Writes the values of engine and lens for accounts in random states, which core must reproduce.
contract MarginVectors is VectorVenue {
    uint256 private constant ACCOUNTS = 60;
    uint256 private constant PRICES = 24;

    /* MARGINS */

    function test_margins_are_written() external {
        string memory path = _openFile("margins");
        uint256 start = FILES.snapshotState();
        for (uint256 i = 0; i < ACCOUNTS; i++) {
            Case memory one = _case(path, i);
            trader = _deposit(TRADER, _size(one, 9) * 1e3 + 1_000e6);
            if (i % 2 == 0) _age(one);
            _trade(one);
            _live(one);
            _putMargins(one);
            _end(one);
            FILES.revertToState(start);
        }
    }

    /// Takes a side in most markets, and rests orders.
    function _trade(Case memory one) private {
        for (uint32 market = 1; market < FINE; market++) {
            if (_below(one, 4) == 0) continue;
            _take(market, _below(one, 2) == 0, _signed(one, 3), _lots(one, market, 4));
            if (_below(one, 2) == 0) {
                _place(TRADER, market, true, _tick(market, -20), _lots(one, market, 1));
            }
            if (_below(one, 2) == 0) {
                _place(TRADER, market, false, _tick(market, 20), _lots(one, market, 1));
            }
        }
    }

    /// At most `times` the trader's collateral.
    function _lots(Case memory one, uint32 market, uint256 times) private view returns (uint64) {
        uint256 most = uint256(int256(perps.holdingOf(trader).collateral)) * times
            / perps.quoteOf(market).markPerLot;
        return uint64(_between(one, most / 50 + 1, most + 2));
    }

    /// Funding, own leverage, another maximum leverage, other prices.
    function _live(Case memory one) private {
        for (uint32 market = 1; market < FINE; market++) {
            if (_below(one, 3) == 0) {
                uint16 leverage = uint16(_between(one, 6, LEVERAGE));
                vm.prank(TRADER);
                try perps.setLeverage(market, leverage) {} catch {}
            }
            _poke(market, _signed(one, 9));
        }
        _pass(3600 + _below(one, 3600));
        perps.settleHours(1);
        if (_below(one, 2) == 0) perps.settleHours(2);
        _pass(_below(one, 5000));
        if (_below(one, 4) == 0) {
            uint16 leverage = uint16(_between(one, 5, 50));
            vm.prank(OWNER);
            perps.change(1, _parameters(leverage));
        }
        _move(one, 1, _signed(one, 80));
        _move(one, 2, _signed(one, 80));
    }

    function _putMargins(Case memory one) private view {
        _putAccount(one, trader);
        Lens.PerpAccount memory account = lens.perpAccount(perps, trader);
        _put(one, "equity", account.equity);
        _put(one, "initialMargin", account.initialMargin);
        _put(one, "maintenanceMargin", account.maintenanceMargin);
        _put(one, "notional", perps.healthOf(trader).notional);
        _put(one, "available", account.available);
        _put(one, "withdrawable", account.withdrawable);
    }

    /* LIQUIDATION PRICES, SOUGHT AT THE ENGINE ITSELF */

    function test_liquidation_prices_are_written() external {
        string memory path = _openFile("liquidation-prices");
        uint256 start = FILES.snapshotState();
        for (uint256 i = 0; i < PRICES; i++) {
            Case memory one = _case(path, i);
            trader = _deposit(TRADER, _size(one, 8) * 1e3 + 1_000e6);
            bool buy = i % 2 == 0;
            _take(1, buy, _signed(one, 3), _lots(one, 1, i % 3 == 0 ? 1 : 12));
            if (_below(one, 2) == 0) _take(2, _below(one, 2) == 0, 0, _lots(one, 2, 2));
            _move(one, 1, _signed(one, 30));
            _putAccount(one, trader);
            _put(one, "liquidationPrice", _liquidationPrice(buy));
            _end(one);
            FILES.revertToState(start);
        }
    }

    /// The price of market 1 (mark equals index, since there was no poke) that is the last one,
    /// from bad to good, at which equity is not above the maintenance margin; 0 when there is none
    /// above 0.
    function _liquidationPrice(bool long) private returns (uint256) {
        (uint256 low, uint256 high) = (1, 1e27);
        if (_isSafeAt(low) == long) return 0;
        while (high - low > 1) {
            uint256 middle = (low + high) / 2;
            if (_isSafeAt(middle) == long) high = middle;
            else low = middle;
        }
        return long ? low : high;
    }

    function _isSafeAt(uint256 price) private returns (bool) {
        _price(1, price);
        PerpsState.Health memory health = perps.healthOf(trader);
        return health.equity > int256(health.maintenanceMargin);
    }
}
