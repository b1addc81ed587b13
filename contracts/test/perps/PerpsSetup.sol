// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {Funding} from "../../src/Funding.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {Positions} from "../../src/Positions.sol";
import {PushOracle} from "../../src/PushOracle.sol";
import {Lots, Tick} from "../../src/ValueTypes.sol";
import {DevToken} from "../../src/dev/DevToken.sol";
import {OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerps, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {PerpsDeploy} from "./PerpsDeploy.sol";

/// Sets up two listed markets and traders with collateral. ETH-PERP: a price step is 0.01 and a lot
/// 0.001 ETH, so a lot at tick t is worth t * 1e13 (2 USD at the index of 2,000).
abstract contract PerpsSetup is PerpsDeploy {
    uint256 internal constant START = 1_750_003_200; // a full hour
    uint256 internal constant DEPOSIT = 100_000e6;
    uint256 internal constant UNIT = 1e13; // quotePerLotTick of both markets
    uint24 internal constant TICK = 200_000; // the index of ETH: 2,000
    uint24 internal constant BTC_TICK = 600_000; // the index of BTC: 60,000
    uint128 internal constant IMPACT_VALUE = 1_000e18;
    uint64 internal constant IMPACT_LOTS = 600; // worth more than that near both indexes
    uint256 internal constant PRICES_SLOT = 4; // of PushOracle
    uint256 private constant MOVED_SLOT = 8;

    address internal constant OWNER = address(0xA11);
    address internal constant PUSHER = address(0xFEED);
    address internal constant ALICE = address(0xA1);
    address internal constant BOB = address(0xB0);
    address internal constant CAROL = address(0xCA);

    Accounts internal accounts;
    PushOracle internal oracle;
    DevToken internal usdc;
    IPerps internal perps;
    uint32 internal market;
    uint32 internal btcMarket;
    uint40 internal alice;
    uint40 internal bob;
    uint40 internal carol;

    function setUp() public virtual {
        vm.warp(START);
        accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(address(0x1), address(0x2), "openvenue")
            )
        );
        oracle = PushOracle(
            vm.deployCode("out/shipped/PushOracle.sol/PushOracle.json", abi.encode(OWNER, PUSHER))
        );
        bytes memory named = abi.encode("USD Coin", "USDC", 6);
        usdc = DevToken(vm.deployCode("out/shipped/DevToken.sol/DevToken.json", named));
        perps = _deployPerps(accounts, oracle, address(usdc), OWNER);
        _index(2000e18);
        vm.prank(OWNER);
        market = perps.list("ETH-PERP", "ETH", 1e16, 1e15, IMPACT_VALUE, _parameters());
        vm.prank(OWNER);
        btcMarket = perps.list("BTC-PERP", "BTC", 1e17, 1e14, IMPACT_VALUE, _parameters());
        alice = _fund(ALICE);
        bob = _fund(BOB);
        carol = _fund(CAROL);
    }

    function _parameters() internal pure returns (PerpParameters memory) {
        return PerpParameters({
            minOrderValue: 10e18,
            maxOrderValue: 1_000_000e18,
            maxNotionalValue: 2_000_000e18,
            maxOpenInterest: 1_000_000,
            maxLeverage: 20,
            makerFee: 100, // 1 bp
            takerFee: 350 // 3.5 bp
        });
    }

    /// Pushes `eth` as the index of ETH, and 60,000 as that of BTC, for now. Any price is accepted,
    /// like an asset's first, but counts as a move: jumps are tested with the store.
    function _index(uint256 eth) internal {
        (uint256 before,,,) = oracle.read("ETH");
        bytes32[] memory assets = new bytes32[](2);
        uint256[] memory prices = new uint256[](2);
        (assets[0], prices[0]) = ("ETH", eth);
        (assets[1], prices[1]) = ("BTC", 60_000e18);
        vm.store(address(oracle), keccak256(abi.encode(assets[0], PRICES_SLOT)), 0);
        vm.prank(PUSHER);
        oracle.push(assets, prices, uint40(block.timestamp));
        uint256 distance = eth > before ? eth - before : before - eth;
        if (before != 0 && distance * 100 > before) {
            vm.store(address(oracle), bytes32(MOVED_SLOT), bytes32(block.timestamp));
        }
    }

    function _pass(uint256 seconds_) internal {
        vm.warp(block.timestamp + seconds_);
    }

    function _fund(address wallet) internal returns (uint40) {
        _deposit(wallet, DEPOSIT);
        return accounts.accountOf(wallet);
    }

    function _deposit(address wallet, uint256 amount) internal {
        usdc.mint(wallet, amount);
        vm.prank(wallet);
        usdc.approve(address(perps), amount);
        vm.prank(wallet);
        perps.deposit(address(usdc), amount);
    }

    function _withdraw(address wallet, uint256 amount) internal {
        vm.prank(wallet);
        perps.withdraw(address(usdc), amount, wallet);
    }

    function _gtc(bool buy, uint24 tick, uint64 lots)
        internal
        view
        returns (OrderRequest memory request)
    {
        request.market = market;
        request.buy = buy;
        request.tick = Tick.wrap(tick);
        request.lots = Lots.wrap(lots);
        request.timeInForce = TimeInForce.GTC;
    }

    function _order(bool buy, uint24 tick, uint64 lots, TimeInForce timeInForce, bool reduceOnly)
        internal
        view
        returns (OrderRequest memory request)
    {
        request = _gtc(buy, tick, lots);
        request.timeInForce = timeInForce;
        request.reduceOnly = reduceOnly;
    }

    function _place(address wallet, OrderRequest memory request) internal returns (uint40) {
        vm.prank(wallet);
        return perps.place(request);
    }

    function _bid(address wallet, uint24 tick, uint64 lots) internal returns (uint40) {
        return _place(wallet, _gtc(true, tick, lots));
    }

    function _ask(address wallet, uint24 tick, uint64 lots) internal returns (uint40) {
        return _place(wallet, _gtc(false, tick, lots));
    }

    /// `long` buys `lots` from `short`, the maker, at `tick`.
    function _trade(address long, address short, uint24 tick, uint64 lots) internal {
        _ask(short, tick, lots);
        _bid(long, tick, lots);
    }

    function _expectPlaceReverts(address wallet, OrderRequest memory request, bytes memory reason)
        internal
    {
        vm.expectRevert(reason);
        _place(wallet, request);
    }

    function _position(uint40 account) internal view returns (Positions.Position memory) {
        return perps.positionOf(market, account);
    }

    function _collateral(uint40 account) internal view returns (int256) {
        return perps.holdingOf(account).collateral;
    }

    function _health(uint40 account) internal view returns (PerpsState.Health memory) {
        return perps.healthOf(account);
    }

    function _lotsOf(uint40 order) internal view returns (uint64) {
        return Lots.unwrap(perps.orderAt(market, order).lots);
    }

    function _openInterest() internal view returns (uint64) {
        (, Funding.Activity memory activity) = perps.fundingOf(market);
        return activity.openInterest;
    }

    /// Lifts the caps out of the way of a test that is not about them.
    function _raiseCap() internal {
        PerpParameters memory parameters = _parameters();
        parameters.maxNotionalValue = 10_000_000e18;
        parameters.maxOpenInterest = 10_000_000;
        parameters.maxOrderValue = 1_100_000e18;
        _change(parameters);
    }

    function _change(PerpParameters memory parameters) internal {
        vm.prank(OWNER);
        perps.change(market, parameters);
    }
}
