// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots, Tick} from "../../../src/ValueTypes.sol";
import {Readings} from "../../Readings.sol";
import {Accounts} from "../../../src/Accounts.sol";
import {Positions} from "../../../src/Positions.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {OrderRequest, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {IPerps} from "../../../src/interfaces/IPerps.sol";
import {AdversaryStrikes} from "./AdversaryStrikes.sol";

/// Plays the honest side of a market with an adversary: a maker around the index, an arbitrageur,
/// traders with high leverage, a keeper, and a price that moves.
contract AdversaryHandler is AdversaryStrikes {
    uint256 private constant MAKER = 0;
    uint256 private constant ARBITRAGEUR = 1;

    address internal _pusher;

    constructor(
        Accounts accounts_,
        PushOracle oracle_,
        IPerps perps_,
        DevToken usdc_,
        address pusher
    ) {
        (accounts, oracle, perps, usdc, _pusher) = (accounts_, oracle_, perps_, usdc_, pusher);
        vm.recordLogs();
        for (uint256 i = 0; i < HONEST + EVIL; i++) {
            address wallet = vm.addr(0xADE + i);
            _deposit(wallet, i < 2 ? 20_000_000e6 : i < HONEST ? 12_000e6 : 60_000e6);
            _parties.push(Party(wallet, accounts.accountOf(wallet), 0xADE + i));
        }
        _deposit(vm.addr(0x1115), 500_000e6); // insurance
        _startSigned();
        _push();
        _forget();
    }

    function _deposit(address wallet, uint256 amount) internal {
        usdc.mint(wallet, amount);
        vm.prank(wallet);
        usdc.approve(address(perps), amount);
        vm.prank(wallet);
        perps.deposit(address(usdc), amount);
    }

    /// No account stays without money, so that no run ends early.
    function fund(uint256 seed) external seeded(seed) {
        for (uint256 i = 2; i < HONEST + EVIL; i++) {
            int256 least = i < HONEST ? int256(6_000e18) : int256(30_000e18);
            int256 value = _valueOf(_parties[i].account);
            if (value < least) _deposit(_parties[i].wallet, uint256((2 * least - value) / SCALE));
        }
        _forget();
    }

    /* HONEST */

    function _try(uint256 who, OrderRequest memory request) private {
        if (Lots.unwrap(request.lots) == 0) return;
        vm.prank(_parties[who].wallet);
        try perps.place(request) {
            _read();
        } catch {
            _forget();
        }
    }

    function _request(uint32 market, bool buy, uint256 price, uint256 value)
        private
        pure
        returns (OrderRequest memory request)
    {
        (request.market, request.buy) = (market, buy);
        request.tick = Tick.wrap(uint24(price / _priceStep(market)));
        request.lots = Lots.wrap(uint64(value / (Tick.unwrap(request.tick) * UNIT)));
    }

    function _indexOf(uint32 market) private view returns (uint256) {
        return perps.quoteOf(market).index;
    }

    /// The maker quotes again, a little away from the index, sometimes only on one side.
    function place(uint256 seed) external seeded(seed) {
        uint32 market = _anyMarket();
        if (!_oneIn(3)) return _trade(market);
        uint40[] memory orders = _liveOf(market, _parties[MAKER].account);
        vm.prank(_parties[MAKER].wallet);
        perps.cancelAll(market, orders);
        uint256 spread = _between(2, 30);
        uint256 alone = _roll(8);
        for (uint256 i = 0; i < 4; i++) {
            uint256 away = spread * (1 + i / 2);
            bool buy = i % 2 == 0;
            if (alone == (buy ? 0 : 1)) continue;
            uint256 price = _indexOf(market) * (buy ? 10_000 - away : 10_000 + away) / 10_000;
            _try(MAKER, _request(market, buy, price, _between(5_000e18, 60_000e18)));
        }
        _read();
        seen["quoted"] += 1;
    }

    /// A trader takes orders within 0.3 % of the index, up to its margin, or closes.
    function _trade(uint32 market) private {
        uint256 who = _between(2, HONEST - 1);
        Positions.Position memory position = perps.positionOf(market, _parties[who].account);
        bool buy =
            position.lots == 0 ? _oneIn(2) : _oneIn(3) ? position.lots < 0 : position.lots > 0;
        uint256 price = _indexOf(market) * (buy ? 1_003 : 997) / 1_000;
        OrderRequest memory request = _request(market, buy, price, _between(10_000e18, 90_000e18));
        request.timeInForce = _oneIn(3) ? TimeInForce.GTC : TimeInForce.IOC;
        request.reduceOnly = position.lots != 0 && _oneIn(6);
        if (request.reduceOnly) request.buy = position.lots < 0;
        _try(who, request);
        if (_oneIn(4)) _writeStop(who, market);
    }

    /// Takes all orders more than 0.05 % from the index.
    function arbitrage(uint256 seed) external seeded(seed) {
        _arbitrage();
    }

    function _arbitrage() private {
        for (uint32 market = 1; market <= BOOKS; market++) {
            for (uint256 side = 0; side < 2; side++) {
                uint256 price = _indexOf(market) * (side == 0 ? 9_995 : 10_005) / 10_000;
                OrderRequest memory request = _request(market, side == 0, price, 400_000e18);
                request.timeInForce = TimeInForce.IOC;
                _try(ARBITRAGEUR, request);
            }
        }
    }

    /// The keeper reports the price, samples, and closes the accounts below their margin.
    function keep(uint256 seed) external seeded(seed) {
        _push();
        _noteBelow();
        for (uint32 market = 1; market <= BOOKS; market++) {
            try perps.poke(market) {
                seen["poked by the keeper"] += 1;
            } catch {}
            for (uint40 account = 3; account < FIRST_EVIL + EVIL; account++) {
                if (!_isUnder(account) || perps.positionOf(market, account).lots == 0) continue;
                uint40[] memory orders = _liveOf(market, account);
                try perps.liquidate(account, market, orders) {
                    seen["liquidated by the keeper"] += 1;
                } catch {}
            }
            try perps.sweep(market, _expired(market)) {} catch {}
        }
        _forget();
    }

    /* PRICE AND TIME */

    function move(uint256 seed) external seeded(seed) {
        uint256 width = _oneIn(10) ? 300 : _oneIn(2) ? 60 : 15; // 3 %, 0.6 % or 0.15 %
        for (uint256 i = 0; i < BOOKS; i++) {
            _nudge(i, _between(10_000 - width, 10_000 + width));
        }
        _push();
        if (_oneIn(2)) _arbitrage();
    }

    function _nudge(uint256 i, uint256 parts) private {
        uint256 home = i == 0 ? 2_000e18 : 60_000e18;
        uint256 price = _prices[i] * parts / 10_000;
        _prices[i] = price < home * 8 / 10
            ? home * 8 / 10
            : price > home * 12 / 10 ? home * 12 / 10 : price;
    }

    function wait_(uint256 seed) external seeded(seed) {
        vm.warp(
            block.timestamp + (_oneIn(20) ? _between(1, 7_200) : _oneIn(2) ? 60 : _between(1, 150))
        );
        _push();
        for (uint32 market = 1; market <= BOOKS; market++) {
            try perps.settleHours(market) {} catch {}
        }
    }

    /// The price goes against a trader until a little more would make it fall; then the adversary
    /// strikes.
    function lean(uint256 seed) external seeded(seed) {
        uint32 market = _anyMarket();
        uint40 victim = uint40(_between(5, FIRST_EVIL - 1));
        int64 lots = perps.positionOf(market, victim).lots;
        if (lots == 0) return;
        for (uint256 i = 0; i < 60 && _cushionOf(victim) > 6; i++) {
            _nudge(market - 1, lots > 0 ? 9_988 : 10_012);
            _push();
        }
        if (_oneIn(2)) vm.warp(block.timestamp + 60);
        _push();
        if (_cushionOf(victim) >= 0) seen["leant on"] += 1;
        _corner(market, victim, lots);
    }

    /// The equity of an account above its maintenance margin, in thousandths of its notional.
    function _cushionOf(uint40 account) private view returns (int256) {
        (int256 equity, int256 margin, int256 notional) = _healthOf(account);
        return notional == 0 ? int256(0) : (equity - margin) * 1_000 / notional;
    }

    /// Reports the prices, again and later while the store wants another report of a jump.
    function _push() internal override {
        for (uint256 i = 0; i < 3; i++) {
            bool done = _report("ETH", _prices[0]);
            done = _report("SOL", _prices[2]) && done;
            if (_report("BTC", _prices[1]) && done) return;
            vm.warp(block.timestamp + 1);
        }
    }

    function _report(bytes32 asset, uint256 price) internal returns (bool) {
        (bytes32[] memory assets, uint256[] memory prices) = (new bytes32[](1), new uint256[](1));
        (assets[0], prices[0]) = (asset, price);
        vm.prank(_pusher);
        oracle.push(assets, prices, uint40(block.timestamp));
        return Readings.get(oracle, asset).price == price;
    }

    /* RULES OF THE WHOLE STATE */

    /// The equity of all accounts equals deposits minus withdrawals.
    function check() external view {
        int256 sum;
        for (uint40 account = 1; account < FIRST_EVIL + EVIL; account++) {
            sum += perps.healthOf(account).equity;
        }
        vm.assertEq(
            sum, int256(usdc.balanceOf(address(perps))) * SCALE, "equity of all != tokens held"
        );
        _checkNoDust();
    }

    function finish() external {
        _reportTaken(_schemed());
    }

    /// The largest figure of a scheme, for campaigns with schemes.
    function _schemed() internal view virtual returns (int256) {
        return 0;
    }
}
