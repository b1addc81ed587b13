// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPlaceFor} from "../../src/Distressed.sol";
import {IBook, OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests the conditions of liquidation, and the shares of book and keeper.
contract LiquidationTest is LiquidationSetup {
    /* who */

    /// At 1,897.6 equity is 46.9 and a fortieth of the position 47.44; at 1,898.2 it is 47.5 and
    /// 47.455.
    function test_an_account_is_liquidatable_below_its_maintenance_margin_only() public {
        _insure(1_000e18);
        _index(1_898.2e18);
        vm.assertEq(_equity(dave), 47.5e18);
        vm.assertEq(_health(dave).maintenanceMargin, 47.455e18);
        _expectNotLiquidatable(dave);
        _liquidate(dave);
        _expectNotLiquidatable(dave);
        vm.prank(KEEPER);
        perps.cancelLiquidatable(dave, market, none);
        _index(1_897.6e18);
        vm.assertEq(_equity(dave), 46.9e18);
        vm.assertEq(_health(dave).maintenanceMargin, 47.44e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
    }

    function test_equity_of_exactly_the_maintenance_margin_suffices() public {
        _index(1_898e18); // equity 47.3, margin 47.45
        _deposit(DAVE, 150_000);
        vm.assertEq(_equity(dave), 47.45e18);
        _expectNotLiquidatable(dave);
        _liquidate(dave);
    }

    function test_no_position_in_the_market_is_nothing_to_liquidate() public {
        _index(1_890e18);
        _expectNotLiquidatable(dave);
        perps.liquidate(dave, btcMarket, none);
        _expectNotLiquidatable(99);
        perps.liquidate(99, market, none);
    }

    function test_insurance_is_never_liquidated() public {
        _insure(200e18);
        _index(1_800e18);
        _liquidate(dave); // 50.7 below zero: insurance has 149.3 left, and 1,000 lots
        _index(1_680e18);
        vm.assertEq(_equity(INSURANCE), 29.3e18);
        vm.assertEq(_health(INSURANCE).maintenanceMargin, 42e18);
        _expectNotLiquidatable(INSURANCE);
        _liquidate(INSURANCE);
        _expectNotLiquidatable(INSURANCE);
        perps.cancelLiquidatable(INSURANCE, market, none);
    }

    function test_an_unknown_market_reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(9)));
        perps.liquidate(dave, 9, none);
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(9)));
        perps.nominate(dave, carol, 9);
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(9)));
        perps.deleverage(dave, 9, none);
    }

    /// Only the engine itself may call `placeFor`.
    function test_nobody_places_for_another() public {
        OrderRequest memory request = _gtc(true, TICK, 100);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NotEngine.selector, BOB));
        vm.prank(BOB);
        IPlaceFor(address(perps)).placeFor(dave, request);
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(IPlaceFor.placeFor, (dave, request));
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NotEngine.selector, BOB));
        vm.prank(BOB);
        perps.multicall(calls);
    }

    /* on the book */

    /// Equity 39.3, maintenance margin 47.25. CAROL bids 1,889: the sale costs 1 against the mark
    /// and 0.66115 of taker fee, which leaves 37.63885. The liquidation fee is 1% of 1,890: 18.9.
    function test_the_book_closes_and_the_keeper_shares_the_fee() public {
        _index(1_890e18);
        uint40 bid = _bid(CAROL, 188_900, LOTS);
        int256 insurance = _collateral(INSURANCE);
        int256 bobs = _collateral(bob);
        uint40 next = bid + 1;
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Liquidating(market, dave, next);
        vm.expectEmit(address(perps));
        emit IBook.Placed(market, dave, next, false, 185_220, LOTS, TimeInForce.IOC, true, 0, 0);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Filled(
            market, carol, bid, dave, next, 188_900, LOTS, 0.1889e18, 0.66115e18
        );
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Liquidated(market, dave, LOTS, 18.9e18, bob);
        _liquidateAs(BOB, dave, none);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_collateral(dave), 18.73885e18);
        vm.assertEq(_equity(dave), 18.73885e18);
        vm.assertEq(_collateral(bob), bobs + 9.45e18);
        vm.assertEq(_collateral(INSURANCE), insurance + 9.45e18);
        vm.assertEq(perps.holdingOf(dave).markets, 0);
    }

    /// The mirror: at 2,100 a short's equity is 49.3, its margin 52.5. BOB asks 2,101.
    function test_a_short_buys_back() public {
        _index(2_100e18);
        _ask(BOB, 210_100, LOTS);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Liquidated(market, erin, LOTS, 21e18, 0);
        _liquidate(erin);
        vm.assertEq(_lots(erin), 0);
        // 49.3 - 1 - 0.73535 of taker fee - 21
        vm.assertEq(_collateral(erin), 26.56465e18);
    }

    function test_a_keeper_without_an_account_leaves_the_whole_fee_to_insurance() public {
        _index(1_890e18);
        _bid(CAROL, 188_900, LOTS);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Liquidated(market, dave, LOTS, 18.9e18, 0);
        _liquidate(dave);
        vm.assertEq(_collateral(INSURANCE), 18.9e18);
        vm.assertEq(_collateral(0), int256(0));
    }

    function test_an_account_may_liquidate_itself_and_gets_half_of_its_fee() public {
        _index(1_890e18);
        _bid(CAROL, 188_900, LOTS);
        _liquidateAs(DAVE, dave, none);
        vm.assertEq(_collateral(dave), 18.73885e18 + 9.45e18);
        vm.assertEq(_collateral(INSURANCE), 9.45e18);
    }

    function test_a_key_of_the_keepers_earns_for_its_account() public {
        uint256 secret = 0xA11CE;
        address wallet = vm.addr(secret);
        address key = vm.addr(0x5EC);
        bytes memory byWallet = _sign(secret, _grant("RegisterKey", wallet, key));
        bytes memory byKey = _sign(0x5EC, _grant("AcceptKey", wallet, key));
        uint40 account = accounts.register(wallet, key, START + 1 days, byWallet, byKey);
        _index(1_890e18);
        _bid(CAROL, 188_900, LOTS);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Liquidated(market, dave, LOTS, 18.9e18, account);
        _liquidateAs(key, dave, none);
        vm.assertEq(_collateral(account), 9.45e18);
    }

    function _grant(string memory name, address wallet, address key)
        private
        pure
        returns (bytes32)
    {
        bytes32 typeHash = keccak256(
            abi.encodePacked(name, "(address account,address key,uint256 expiry)")
        );
        return keccak256(abi.encode(typeHash, wallet, key, START + 1 days));
    }

    function _sign(uint256 secret, bytes32 structHash) private view returns (bytes memory) {
        bytes32 digest =
            keccak256(abi.encodePacked(hex"1901", accounts.domainSeparator(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(secret, digest);
        return abi.encodePacked(r, s, v);
    }

    function test_insurance_may_be_the_keeper() public {
        _index(1_890e18);
        _bid(CAROL, 188_900, LOTS);
        _liquidateAs(INSURER, dave, none);
        vm.assertEq(_collateral(INSURANCE), 18.9e18);
    }

    /// The fee leaves the ratio where it was. Half of the position sells at 1,870: E' = 39.3 - 10 -
    /// 0.32725 = 28.97275 for M' = 23.625, and kept(M') = 39.3 / 2 = 19.65. So 9.32275 are free, of
    /// which the fee takes 1% of 945 = 9.45: all.
    function test_the_fee_is_cut_to_what_keeps_the_ratio() public {
        _index(1_890e18);
        _bid(CAROL, 187_000, LOTS / 2);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Liquidated(market, dave, LOTS / 2, 9.32275e18, 0);
        _liquidate(dave);
        vm.assertEq(_equity(dave), 19.65e18);
        vm.assertEq(_health(dave).maintenanceMargin, 23.625e18);
    }

    /// 2% of 1,890 are 37.8, so a bid at 1,852.2 is taken and one below it is not.
    function test_the_limit_is_two_percent_from_the_mark() public {
        _index(1_890e18);
        _bid(CAROL, 185_219, LOTS);
        _bid(CAROL, 185_220, 400);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 600);
        vm.assertEq(perps.stateOf(market).bestBid, 185_219);
    }

    /// At 1,884 equity is 33.3 of 47.1: 1.77% of the notional. Less the taker fee the sale may cost
    /// 33.3: (1,884 - 33.3) / 0.99965 = 1,851.347..., while 2% below the mark is 1,846.32.
    function test_the_limit_keeps_the_ratio_when_that_is_stricter() public {
        _index(1_884e18);
        _bid(CAROL, 185_134, LOTS);
        _bid(CAROL, 185_135, 400);
        vm.recordLogs();
        _liquidate(dave);
        vm.assertEq(_lots(dave), 600);
        // 33.3 * 0.6 of equity for 0.6 of the margin: not a unit more was to be had as a fee
        vm.assertGe(_equity(dave), 19.98e18, "ratio");
    }

    /// The guardian may lower the largest order at any moment; a liquidation in orders of the
    /// smallest one would never end.
    function test_the_largest_order_does_not_bind_the_forced_one() public {
        address frank = address(0xF4);
        uint40 account = _open(frank, 3_700e6, true, 35_000); // 70,000
        _index(1_940e18);
        _bid(CAROL, 193_900, 35_000);
        vm.prank(OWNER);
        perps.tighten(market, _withOrderMaximum(_parameters().minOrderValue));
        _liquidate(account);
        vm.assertEq(_lots(account), 0);
        vm.assertEq(_lots(INSURANCE), 0);
    }

    function test_a_halted_market_still_liquidates() public {
        _index(1_890e18);
        _bid(CAROL, 188_900, LOTS);
        vm.prank(OWNER);
        perps.halt(market, true);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
    }

    function test_lowered_caps_do_not_stop_a_liquidation() public {
        _insure(1_000e18);
        _index(1_890e18);
        _bid(CAROL, 187_000, LOTS / 2);
        vm.prank(OWNER);
        perps.tighten(market, _withCaps(1e18, 1));
        _liquidate(dave);
        vm.assertEq(_lots(dave), 500);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 500); // above the caps, too
    }

    function _withOrderMaximum(uint128 maximum)
        private
        pure
        returns (PerpParameters memory parameters)
    {
        parameters = _parameters();
        parameters.maxOrderValue = maximum;
    }

    function _withCaps(uint128 notional, uint64 openInterest)
        private
        pure
        returns (PerpParameters memory parameters)
    {
        parameters = _parameters();
        (parameters.maxNotionalValue, parameters.maxOpenInterest) = (notional, openInterest);
    }
}
