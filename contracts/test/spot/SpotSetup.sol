// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {Book} from "../../src/Book.sol";
import {Lots, Tick} from "../../src/ValueTypes.sol";
import {ISpot} from "../../src/interfaces/ISpot.sol";
import {DevToken} from "../../src/dev/DevToken.sol";
import {OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {Test} from "../Vm.sol";

/// Sets up one market, ETH-USDC, and traders with balances. A price step is 0.01 USDC and a lot
/// 0.0001 ETH, so one lot at tick t is worth t millionths of a USDC.
abstract contract SpotSetup is Test {
    uint256 internal constant ETH_DEPOSIT = 1_000e18;
    uint256 internal constant USDC_DEPOSIT = 10_000_000e6;
    uint128 internal constant VALUE_MIN = 1e6; // 1 USDC
    uint128 internal constant VALUE_MAX = 1_000_000e6;
    uint256 internal constant LOT = 1e14;
    uint24 internal constant TICK = 200_000; // 2,000 USDC

    address internal constant OWNER = address(0xA11);
    address internal constant ALICE = address(0xA1);
    address internal constant BOB = address(0xB0);
    address internal constant CAROL = address(0xCA);

    Accounts internal accounts;
    ISpot internal spot;
    DevToken internal eth;
    DevToken internal usdc;
    uint32 internal market;
    uint40 internal alice;
    uint40 internal bob;
    uint40 internal carol;

    function setUp() public virtual {
        vm.warp(1_750_000_000);
        accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(address(0x1), address(0x2), "openvenue")
            )
        );
        spot = ISpot(vm.deployCode("out/shipped/Spot.sol/Spot.json", abi.encode(accounts, OWNER)));
        eth = _token("Ether", "ETH", 18);
        usdc = _token("USD Coin", "USDC", 6);
        vm.prank(OWNER);
        market = spot.list("ETH-USDC", address(eth), address(usdc), 1e4, LOT, VALUE_MIN, VALUE_MAX);
        alice = _fund(ALICE);
        bob = _fund(BOB);
        carol = _fund(CAROL);
    }

    function _token(string memory name, string memory symbol, uint8 decimals)
        private
        returns (DevToken)
    {
        bytes memory args = abi.encode(name, symbol, decimals);
        return DevToken(vm.deployCode("out/shipped/DevToken.sol/DevToken.json", args));
    }

    function _fund(address wallet) internal returns (uint40) {
        _deposit(wallet, eth, ETH_DEPOSIT);
        _deposit(wallet, usdc, USDC_DEPOSIT);
        return accounts.accountOf(wallet);
    }

    function _deposit(address wallet, DevToken token, uint256 amount) internal {
        token.mint(wallet, amount);
        vm.prank(wallet);
        token.approve(address(spot), amount);
        vm.prank(wallet);
        spot.deposit(address(token), amount);
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

    function _order(bool buy, uint24 tick, uint64 lots, TimeInForce timeInForce)
        internal
        view
        returns (OrderRequest memory request)
    {
        request = _gtc(buy, tick, lots);
        request.timeInForce = timeInForce;
    }

    function _place(address wallet, OrderRequest memory request) internal returns (uint40) {
        vm.prank(wallet);
        return spot.place(request);
    }

    function _bid(address wallet, uint24 tick, uint64 lots) internal returns (uint40) {
        return _place(wallet, _gtc(true, tick, lots));
    }

    function _ask(address wallet, uint24 tick, uint64 lots) internal returns (uint40) {
        return _place(wallet, _gtc(false, tick, lots));
    }

    function _value(uint24 tick, uint256 lots) internal pure returns (uint256) {
        return lots * tick;
    }

    function _eth(uint40 account) internal view returns (uint256) {
        return spot.balanceOf(account, address(eth));
    }

    function _usdc(uint40 account) internal view returns (uint256) {
        return spot.balanceOf(account, address(usdc));
    }

    function _lotsOf(uint40 order) internal view returns (uint64) {
        return Lots.unwrap(spot.orderAt(market, order).lots);
    }

    function _best() internal view returns (uint24 bid, uint24 ask) {
        Book.StateView memory state = spot.stateOf(market);
        return (state.bestBid, state.bestAsk);
    }
}
