// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccountId, Lots, Tick} from "../../src/ValueTypes.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";
import {Lens} from "../../src/Lens.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {Positions} from "../../src/Positions.sol";
import {OrderRequest} from "../../src/interfaces/IBook.sol";
import {ISpot} from "../../src/interfaces/ISpot.sol";

contract LensTest is PerpsSetup {
    Lens private lens;

    function setUp() public override {
        super.setUp();
        lens = Lens(vm.deployCode("out/shipped/Lens.sol/Lens.json", ""));
    }

    function test_books_are_in_order_of_price_then_time_without_expired_orders() public {
        uint40 a = _bid(ALICE, TICK - 2, 100);
        uint40 b = _bid(BOB, TICK - 1, 200);
        OrderRequest memory request = _gtc(true, TICK - 1, 300);
        request.goodTil = uint40(block.timestamp + 5);
        _place(CAROL, request);
        uint40 d = _bid(CAROL, TICK - 1, 400);
        uint40 e = _ask(ALICE, TICK + 1, 500);
        _pass(6);
        (Lens.RestingOrder[] memory bids, Lens.RestingOrder[] memory asks) =
            lens.books(perps, market, 10);
        vm.assertEq(bids.length, 3);
        _expectOrder(bids[0], b, bob, TICK - 1, 200);
        _expectOrder(bids[1], d, carol, TICK - 1, 400);
        _expectOrder(bids[2], a, alice, TICK - 2, 100);
        vm.assertEq(asks.length, 1);
        _expectOrder(asks[0], e, alice, TICK + 1, 500);
        (bids,) = lens.books(perps, market, 2);
        vm.assertEq(bids.length, 2);
        (bids, asks) = lens.books(perps, btcMarket, 2);
        vm.assertEq(bids.length + asks.length, 0);
    }

    function test_account_and_positions_are_the_engines() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _bid(ALICE, TICK - 1, 100);
        _index(2_100e18);
        Lens.PerpAccount memory account = lens.perpAccount(perps, alice);
        vm.assertEq(account.collateral, 100_000e18 - 0.7e18);
        vm.assertEq(account.equity, 100_100e18 - 0.7e18);
        vm.assertEq(account.initialMargin, 115.5e18);
        vm.assertEq(account.maintenanceMargin, 52.5e18);
        vm.assertEq(account.available, 100_100e18 - 0.7e18 - 115.5e18);
        vm.assertEq(account.withdrawable, 100_100e18 - 0.7e18 - 210e18);

        uint40[] memory accounts_ = new uint40[](2);
        (accounts_[0], accounts_[1]) = (alice, bob);
        uint32[] memory markets = new uint32[](2);
        (markets[0], markets[1]) = (market, btcMarket);
        Positions.Position[][] memory rows = lens.positions(perps, accounts_, markets);
        vm.assertEq(rows[0][0].lots, 1_000);
        vm.assertEq(Lots.unwrap(rows[0][0].bidLots), 100);
        vm.assertEq(rows[1][0].quote, 2_000e18);
        vm.assertEq(rows[0][1].lots, 0);
        vm.assertEq(lens.collaterals(perps, accounts_)[1], 100_000e18 - 0.2e18);
        vm.assertEq(lens.openInterest(perps, market), 1_000);
    }

    function test_what_is_withdrawable_can_be_withdrawn_and_no_more() public {
        _trade(ALICE, BOB, TICK, 400_000);
        _index(1_950e18);
        _pass(10);
        uint256 amount = lens.perpAccount(perps, alice).withdrawable / 1e12;
        vm.expectRevert();
        _withdraw(ALICE, amount + 1);
        _withdraw(ALICE, amount);
    }

    function test_healths_are_the_engines_and_say_which_index_is_stale() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _index(1_900e18);
        uint40[] memory accounts_ = new uint40[](3);
        (accounts_[0], accounts_[1], accounts_[2]) = (bob, 1, alice);
        PerpsState.Health[] memory rows = lens.healths(perps, accounts_);
        vm.assertEq(rows.length, 3);
        vm.assertEq(rows[0].equity, 100_100e18 - 0.2e18);
        vm.assertEq(rows[1].equity, 0);
        vm.assertEq(rows[1].maintenanceMargin, 0);
        vm.assertEq(rows[2].equity, 99_900e18 - 0.7e18);
        vm.assertEq(rows[2].initialMargin, 95e18);
        vm.assertEq(rows[2].maintenanceMargin, 47.5e18);
        vm.assertEq(rows[2].notional, 1_900e18);
        vm.assertEq(rows[2].staleAsset, 0);
        _pass(61);
        rows = lens.healths(perps, accounts_);
        vm.assertEq(rows[2].staleAsset, "ETH");
        vm.assertEq(rows[2].staleTime, START);
        vm.assertEq(rows[1].staleAsset, 0);
    }

    function test_mark_and_funding() public {
        _pass(1_800);
        _index(2_000e18);
        perps.poke(market);
        (uint256 price, uint256 index, uint256 time, int256 basis) = lens.mark(perps, market);
        vm.assertEq(price, 2_000e18);
        vm.assertEq(index, 2_000e18);
        vm.assertEq(time, block.timestamp);
        vm.assertEq(basis, int256(0));
        Lens.FundingState memory funding = lens.funding(perps, market);
        vm.assertEq(funding.settledTime, START);
        vm.assertEq(funding.sampledSeconds, 120);
        vm.assertEq(funding.hourMark, 2_000e18);
    }

    function test_spot_balances() public {
        ISpot spot =
            ISpot(vm.deployCode("out/shipped/Spot.sol/Spot.json", abi.encode(accounts, OWNER)));
        address other = address(new OtherToken());
        vm.prank(OWNER);
        spot.list("USDC-OTH", address(usdc), other, 1e6, 1e6, 1e6, 1e12);
        usdc.mint(ALICE, 5);
        vm.prank(ALICE);
        usdc.approve(address(spot), 5);
        vm.prank(ALICE);
        spot.deposit(address(usdc), 5);
        uint40[] memory accounts_ = new uint40[](2);
        (accounts_[0], accounts_[1]) = (alice, bob);
        address[] memory tokens = new address[](1);
        tokens[0] = address(usdc);
        uint256[][] memory balances = lens.spotBalances(spot, accounts_, tokens);
        vm.assertEq(balances[0][0], 5);
        vm.assertEq(balances[1][0], 0);
    }

    function _expectOrder(
        Lens.RestingOrder memory order,
        uint40 id,
        uint40 account,
        uint24 tick,
        uint64 lots
    ) private pure {
        vm.assertEq(order.order, id);
        vm.assertEq(AccountId.unwrap(order.account), account);
        vm.assertEq(Tick.unwrap(order.tick), tick);
        vm.assertEq(Lots.unwrap(order.lots), lots);
    }
}

contract OtherToken {
    string public constant name = "Other";
    string public constant symbol = "OTH";
    uint8 public constant decimals = 6;
}
