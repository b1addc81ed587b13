// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SpotSetup} from "./SpotSetup.sol";
import {OrderRequest, SignedOrder} from "../../src/interfaces/IBook.sol";
import {SignedAtSpot} from "../signed/SignedSetup.sol";

/// Measures whole-transaction gas of the spot engine into snapshots/Spot.json. The goals are in
/// gas-goals.json.
contract SpotGasTest is SpotSetup {
    uint64 private constant LOTS = 1_000;

    function setUp() public override {
        super.setUp();
        // A book with depth, so that bitmap words and balances are warm as they are in a live
        // market.
        for (uint24 i = 0; i < 5; i++) {
            _bid(CAROL, TICK - 100 - i, LOTS);
            _ask(CAROL, TICK + 100 + i, LOTS);
        }
    }

    function _snapshot(string memory name) private {
        vm.snapshotGasLastCall("Spot", name);
    }

    function test_PlaceInAnExistingLevel() public {
        _bid(ALICE, TICK - 100, LOTS);
        _snapshot("place, existing level");
    }

    function test_PlaceInANewLevel() public {
        _bid(ALICE, TICK - 99, LOTS);
        _snapshot("place, new level");
    }

    function test_PlaceFarFromEveryLevel() public {
        _bid(ALICE, TICK / 2, LOTS);
        _snapshot("place, new level in untouched words");
    }

    function test_CancelInTheMiddleOfALevel() public {
        _bid(ALICE, TICK - 100, LOTS);
        uint40 order = _bid(BOB, TICK - 100, LOTS);
        _bid(ALICE, TICK - 100, LOTS);
        vm.prank(BOB);
        spot.cancel(market, order);
        _snapshot("cancel");
    }

    function test_CancelTheOnlyOrderOfALevel() public {
        uint40 order = _bid(BOB, TICK - 99, LOTS);
        vm.prank(BOB);
        spot.cancel(market, order);
        _snapshot("cancel that empties the level");
    }

    function test_Reduce() public {
        uint40 order = _bid(BOB, TICK - 99, LOTS);
        vm.prank(BOB);
        spot.reduce(market, order, LOTS / 2);
        _snapshot("reduce");
    }

    function test_TakePartOfOneOrder() public {
        _ask(BOB, TICK, LOTS);
        _bid(ALICE, TICK, LOTS / 2);
        _snapshot("take 1, partial");
    }

    function test_TakeOneOrder() public {
        _ask(BOB, TICK, LOTS);
        _bid(ALICE, TICK, LOTS);
        _snapshot("take 1");
    }

    function test_TakeTenOrdersOfOneLevel() public {
        for (uint160 i = 0; i < 10; i++) {
            _fund(address(0xF00 + i));
            _ask(address(0xF00 + i), TICK, LOTS);
        }
        _bid(ALICE, TICK, 10 * LOTS);
        _snapshot("take 10, one level");
    }

    function test_TakeTenLevels() public {
        for (uint160 i = 0; i < 10; i++) {
            _fund(address(0xF00 + i));
            _ask(address(0xF00 + i), uint24(TICK + i), LOTS);
        }
        _bid(ALICE, TICK + 9, 10 * LOTS);
        _snapshot("take 10 levels");
    }

    function test_PlaceTenInOneMulticall() public {
        bytes[] memory calls = new bytes[](10);
        for (uint24 i = 0; i < 10; i++) {
            OrderRequest memory request = _gtc(true, TICK - 100 - i % 5, LOTS);
            calls[i] = abi.encodeCall(spot.place, request);
        }
        vm.prank(ALICE);
        spot.multicall(calls);
        _snapshot("10 places in one multicall");
    }

    function test_DepositAndWithdraw() public {
        usdc.mint(ALICE, 1e6);
        vm.prank(ALICE);
        usdc.approve(address(spot), 2e6);
        vm.prank(ALICE);
        spot.deposit(address(usdc), 0.5e6);
        _snapshot("deposit");
        vm.prank(ALICE);
        spot.withdraw(address(usdc), 0.4e6, ALICE);
        _snapshot("withdraw");
    }
}

/// Measures whole-transaction gas of signed orders that a relayer sends: the account is in the
/// market, and the salt is not the first of its word.
contract SpotSignedGasTest is SignedAtSpot {
    uint256 private constant BATCH = 10;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < 3; i++) {
            _quote(true, LOW, SIZE);
            _send(_bidOf(i));
        }
    }

    function test_place_signed() public {
        _send(_bidOf(3));
        vm.snapshotGasLastCall("Spot", "place signed");
    }

    function test_place_signed_with_the_first_salt_of_a_word() public {
        _send(_bidOf(256));
        vm.snapshotGasLastCall("Spot", "place signed, first salt of a word");
    }

    function test_replace_signed() public {
        SignedOrder memory order = _bidOf(3);
        order.replaces = _id(_send(_bidOf(4)));
        _send(order);
        vm.snapshotGasLastCall("Spot", "place signed, replacing another");
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
        vm.snapshotGasLastCall("Spot", "10 signed in one batch");
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
                "Spot", string.concat("cancel for an account, ", vm.toString(sizes[i]))
            );
        }
    }
}
