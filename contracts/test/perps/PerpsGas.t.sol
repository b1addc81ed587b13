// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots} from "../../src/ValueTypes.sol";
import {PerpsSetup} from "./PerpsSetup.sol";
import {OrderRequest, SignedOrder} from "../../src/interfaces/IBook.sol";
import {SignedAtPerps} from "../signed/SignedSetup.sol";

/// Measures whole-transaction gas of the perpetual engine into snapshots/Perps.json. The goals are
/// in gas-goals.json.
contract PerpsGasTest is PerpsSetup {
    uint64 private constant LOTS = 1_000;

    function setUp() public override {
        super.setUp();
        // A live market: a book with depth, everyone quoting and holding a position, funding
        // accrued.
        for (uint24 i = 0; i < 5; i++) {
            _bid(CAROL, TICK - 100 - i, LOTS);
            _ask(CAROL, TICK + 100 + i, LOTS);
        }
        _quote(ALICE);
        _quote(BOB);
        _trade(ALICE, BOB, TICK, LOTS);
        _trade(BOB, CAROL, TICK, LOTS / 2);
        _settleAnHour();
        _settleAnHour();
        _trade(ALICE, BOB, TICK, LOTS);
        _trade(CAROL, BOB, TICK, LOTS / 4);
    }

    function _quote(address wallet) private {
        _bid(wallet, TICK - 5_000, LOTS);
        _ask(wallet, TICK + 5_000, LOTS);
    }

    function _settleAnHour() private {
        _pass(3600);
        _index(2000e18);
        perps.poke(market);
    }

    function _snapshot(string memory name) private {
        vm.snapshotGasLastCall("Perps", name);
    }

    function test_place_in_an_existing_level() public {
        _bid(ALICE, TICK - 100, LOTS);
        _snapshot("place, existing level");
    }

    function test_place_in_a_new_level() public {
        _bid(ALICE, TICK - 99, LOTS);
        _snapshot("place, new level");
    }

    function test_place_with_a_second_position() public {
        OrderRequest memory request = _gtc(false, BTC_TICK, LOTS);
        request.market = btcMarket;
        _place(CAROL, request);
        request.buy = true;
        _place(ALICE, request);
        _bid(ALICE, TICK - 100, LOTS);
        _snapshot("place, existing level, one further position");
    }

    function test_cancel_in_the_middle_of_a_level() public {
        _bid(ALICE, TICK - 100, LOTS);
        uint40 order = _bid(BOB, TICK - 100, LOTS);
        _bid(ALICE, TICK - 100, LOTS);
        vm.prank(BOB);
        perps.cancel(market, order);
        _snapshot("cancel");
    }

    function test_take_part_of_one() public {
        _bid(ALICE, TICK + 100, LOTS / 2);
        _snapshot("take 1, partial");
    }

    function test_take_all_of_one() public {
        _bid(ALICE, TICK + 100, LOTS);
        _snapshot("take 1");
    }

    function test_take_ten_of_one_level() public {
        for (uint256 i = 0; i < 5; i++) {
            _ask(BOB, TICK + 50, LOTS);
            _ask(CAROL, TICK + 50, LOTS);
        }
        _bid(ALICE, TICK + 50, LOTS * 10);
        _snapshot("take 10, one level");
    }

    function test_take_ten_levels() public {
        for (uint24 i = 0; i < 10; i++) {
            _ask(i % 2 == 0 ? BOB : CAROL, TICK + 50 + i, LOTS);
        }
        _bid(ALICE, TICK + 59, LOTS * 10);
        _snapshot("take 10 levels");
    }

    /// Each further fill costs at most as much as a single one, up to the maximum of one order.
    function test_take_a_hundred_is_bounded_by_the_fills() public {
        for (uint256 i = 0; i < 100; i++) {
            _ask(i % 2 == 0 ? BOB : CAROL, TICK + 50, 100);
        }
        _bid(ALICE, TICK + 50, 100 * 101);
        uint256 gas = vm.snapshotGasLastCall("Perps", "take 100, one level");
        vm.assertEq(Lots.unwrap(_position(bob).askLots), LOTS); // the hundred and nothing else
        vm.assertLe(gas, 110_000 + 100 * 30_000, "gas of a hundred fills");
    }

    function test_poke() public {
        _pass(60);
        _index(2000e18);
        perps.poke(market);
        _snapshot("poke");
    }

    function test_poke_that_settles_an_hour() public {
        _pass(3600);
        _index(2000e18);
        perps.poke(market);
        _snapshot("poke that settles an hour");
    }

    function test_deposit_and_withdraw() public {
        usdc.mint(ALICE, DEPOSIT);
        vm.prank(ALICE);
        usdc.approve(address(perps), DEPOSIT);
        vm.prank(ALICE);
        perps.deposit(address(usdc), DEPOSIT);
        _snapshot("deposit");
        _withdraw(ALICE, DEPOSIT);
        _snapshot("withdraw with a position");
    }
}

/// Measures whole-transaction gas of signed orders that a relayer sends: the account is in the
/// market, and the salt is not the first of its word.
contract PerpsSignedGasTest is SignedAtPerps {
    uint256 private constant BATCH = 10;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < 3; i++) {
            _quote(true, LOW, SIZE);
            _send(_bidOf(i));
        }
        _trade(wallet, BOB, TICK, SIZE);
        _wait(1 hours);
        perps.poke(market);
    }

    function test_place_signed() public {
        _send(_bidOf(3));
        vm.snapshotGasLastCall("Perps", "place signed");
    }

    function test_place_signed_with_the_first_salt_of_a_word() public {
        _send(_bidOf(256));
        vm.snapshotGasLastCall("Perps", "place signed, first salt of a word");
    }

    function test_replace_signed() public {
        SignedOrder memory order = _bidOf(3);
        order.replaces = _id(_send(_bidOf(4)));
        _send(order);
        vm.snapshotGasLastCall("Perps", "place signed, replacing another");
    }

    function test_place_many_signed() public {
        SignedOrder[] memory orders = new SignedOrder[](BATCH);
        bytes[] memory signatures = new bytes[](BATCH);
        for (uint256 i = 0; i < BATCH; i++) {
            orders[i] = _bidOf(3 + i);
            signatures[i] = _signed(KEY_SECRET, orders[i]);
        }
        vm.prank(RELAYER);
        engine.placeMany(orders, signatures);
        vm.snapshotGasLastCall("Perps", "10 signed in one batch");
    }

    function test_cancel_for_an_account() public {
        vm.prank(wallet);
        registry.allowCanceller(wallet, RELAYER, block.timestamp + 1 days);
        uint256[3] memory sizes = [uint256(1), 10, 50];
        for (uint256 i = 0; i < 3; i++) {
            uint40[] memory orders = new uint40[](sizes[i]);
            for (uint256 j = 0; j < sizes[i]; j++) {
                orders[j] = _send(_bidOf(100 * (i + 1) + j));
            }
            vm.prank(RELAYER);
            engine.cancelFor(listed, account, orders);
            vm.snapshotGasLastCall(
                "Perps", string.concat("cancel for an account, ", vm.toString(sizes[i]))
            );
        }
    }
}
