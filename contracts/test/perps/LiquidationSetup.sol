// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Vm} from "../Vm.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {Positions} from "../../src/Positions.sol";
import {OrderRequest} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {PerpsSetup} from "./PerpsSetup.sol";

/// Sets up traders near their maintenance margin. DAVE has 150 and is long 1,000 lots (1 ETH) from
/// 2,000, ERIN likewise short; each paid 0.7 of taker fee. So at an index of p their equity is
/// 149.3 + p - 2,000, and the other way round, and their maintenance margin p / 40.
abstract contract LiquidationSetup is PerpsSetup {
    uint64 internal constant LOTS = 1_000;
    uint256 internal constant NOMINATION_SECONDS = 10;
    uint256 private constant SIGHTINGS_SLOT = 15;
    uint40 internal constant INSURANCE = 1;
    uint40 internal constant FEES = 2;

    address internal constant INSURER = address(0x1); // the wallet of account 1
    address internal constant DAVE = address(0xDA);
    address internal constant ERIN = address(0xE1);
    address internal constant WHALE = address(0x3A1E);
    address internal constant KEEPER = address(0x4EE); // without an account

    uint40 internal dave;
    uint40 internal erin;
    uint40[] internal none;

    function setUp() public virtual override {
        super.setUp();
        _cover(type(uint96).max, 10_000);
        dave = _open(DAVE, 150e6, true, LOTS);
        erin = _open(ERIN, 150e6, false, LOTS);
    }

    /// Deposits and trades `lots` with CAROL at 2,000.
    function _open(address wallet, uint256 amount, bool long, uint64 lots)
        internal
        returns (uint40 account)
    {
        _deposit(wallet, amount);
        account = accounts.accountOf(wallet);
        _place(CAROL, _gtc(!long, TICK, lots));
        _place(wallet, _gtc(long, TICK, lots));
    }

    /// Liquidates an account that has been seen below its margin for 30 s.
    function _liquidate(uint40 account) internal {
        _liquidateAs(KEEPER, account, none);
    }

    /// Has the contract believe that the account was first seen below its margin 30 s ago, so that
    /// the limit of a forced order is as far from the mark as it gets.
    function _seeBelow(uint40 account) internal {
        uint256 sighting = block.timestamp - 30 | block.timestamp << 40;
        vm.store(address(perps), keccak256(abi.encode(account, SIGHTINGS_SLOT)), bytes32(sighting));
    }

    function _liquidateAs(address keeper, uint40 account, uint40[] memory orders) internal {
        _seeBelow(account);
        vm.prank(keeper);
        perps.liquidate(account, market, orders);
    }

    /// Nominates the winner and, after the delay, closes against it. The index is as before.
    function _deleverage(uint40 loser, uint40 winner) internal {
        _nominate(loser, winner);
        _carryOut(loser);
    }

    /// Nominates the winner and waits for the delay.
    function _nominate(uint40 loser, uint40 winner) internal {
        vm.prank(KEEPER);
        perps.nominate(loser, winner, market);
        _pass(NOMINATION_SECONDS);
    }

    function _carryOut(uint40 loser) internal {
        vm.prank(KEEPER);
        perps.deleverage(loser, market, none);
    }

    function _expectNotLiquidatable(uint40 account) internal {
        PerpsState.Health memory health = _health(account);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.NotLiquidatable.selector,
                account,
                health.equity,
                health.maintenanceMargin
            )
        );
    }

    /// Its orders are backed for the positions they may lead to.
    function _expectBacked(uint40 account) internal {
        PerpsState.Health memory health = _health(account);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.NotLiquidatable.selector,
                account,
                health.equity,
                health.exposureMargin
            )
        );
    }

    /// Sets the limits of insurance's position and loss in both markets.
    function _cover(uint96 maxNotional, uint16 lossBps) internal {
        vm.startPrank(OWNER);
        perps.setCover(market, maxNotional, lossBps);
        perps.setCover(btcMarket, maxNotional, lossBps);
        vm.stopPrank();
    }

    /// Pays 18-decimals `amount` of insurance from thin air.
    function _insure(uint256 amount) internal {
        _deposit(INSURER, amount / 1e12);
    }

    /// Makes `price` the index of one asset, regardless of its earlier price.
    function _indexOne(bytes32 asset, uint256 price) internal {
        vm.store(address(oracle), keccak256(abi.encode(asset, PRICES_SLOT)), 0);
        _pushOne(asset, price);
    }

    /// Reports `price` for now: the store decides whether to accept it.
    function _pushOne(bytes32 asset, uint256 price) internal {
        bytes32[] memory assets = new bytes32[](1);
        uint256[] memory prices = new uint256[](1);
        (assets[0], prices[0]) = (asset, price);
        vm.prank(PUSHER);
        oracle.push(assets, prices, uint40(block.timestamp));
    }

    function _lots(uint40 account) internal view returns (int64) {
        return _position(account).lots;
    }

    function _equity(uint40 account) internal view returns (int256) {
        return _health(account).equity;
    }

    function _orders(uint40 a) internal pure returns (uint40[] memory orders) {
        orders = new uint40[](1);
        orders[0] = a;
    }

    function _btc(OrderRequest memory request) internal view returns (OrderRequest memory) {
        request.market = btcMarket;
        return request;
    }

    /// How often `topic` was emitted since vm.recordLogs.
    function _count(bytes32 topic) internal returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].topics[0] == topic) count += 1;
        }
    }
}
