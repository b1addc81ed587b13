// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// With a limit of a tenth per hour and small withdrawals that always passed, ninety of them in one
/// call took 90,000 of 300,000. Now small withdrawals are limited per account and hour, and in
/// total to a tenth of the share.
contract SmallWithdrawalsTest is PerpsSetup {
    uint256 private constant SMALL = 1000e6;
    uint256 private constant ROOM = 3 * DEPOSIT / 10;

    function setUp() public override {
        super.setUp();
        _limit(SMALL);
    }

    function test_ninety_small_withdrawals_in_one_call_are_refused_together() public {
        (bool done,) = _withdrawMany(ALICE, 90);
        vm.assertFalse(done, "90,000 of 300,000");
        vm.assertEq(usdc.balanceOf(ALICE), 0);
    }

    function test_what_an_account_takes_beyond_the_share_is_one_small_amount_an_hour() public {
        (bool done,) = _withdrawMany(ALICE, 31);
        vm.assertTrue(done, "the share and one more");
        (done,) = _withdrawMany(ALICE, 1);
        vm.assertFalse(done, "not two");
        vm.warp((block.timestamp / 1 hours + 1) * 1 hours);
        (done,) = _withdrawMany(ALICE, 27);
        vm.assertTrue(done, "an hour later there is a share again");
    }

    function test_many_accounts_together_take_a_tenth_of_the_share_more() public {
        (bool done,) = _withdrawMany(ALICE, 30);
        uint256 before = usdc.balanceOf(address(perps));
        for (uint160 i = 0; i < 20; i++) {
            address other = address(0xFACE00 + i);
            vm.prank(ALICE);
            perps.transfer(address(usdc), other, SMALL);
            (done,) = _withdrawMany(other, 1);
        }
        vm.assertGt(before - usdc.balanceOf(address(perps)), 0, "somebody has passed");
        vm.assertLe(
            before - usdc.balanceOf(address(perps)),
            ROOM / 10,
            "and no more than a tenth of the share"
        );
    }

    function test_no_small_amount_that_may_be_set_makes_the_limit_void() public {
        _limit(type(uint112).max);
        (bool done,) = _withdrawMany(ALICE, 33);
        vm.assertFalse(done, "beyond a tenth more than the share");
        (done,) = _withdrawMany(ALICE, 32);
        vm.assertTrue(done);
    }

    /// A flash loan of the engine's balance cannot withdraw more than was deposited.
    function test_a_loan_that_comes_and_goes_adds_nothing() public {
        (bool done,) = _withdrawMany(ALICE, 32);
        vm.assertFalse(done, "two beyond the share");
        _limit(type(uint112).max);
        (done,) = _withdrawMany(ALICE, 32);
        vm.assertTrue(done);
        _deposit(BOB, 1_000_000e6);
        (done,) = _withdrawMany(ALICE, 5);
        vm.assertTrue(done, "what came in may go out");
        vm.prank(BOB);
        (done,) =
            address(perps).call(abi.encodeCall(perps.withdraw, (address(usdc), 1_000_000e6, BOB)));
        vm.assertFalse(done, "but not twice");
    }

    function _limit(uint256 small) private {
        vm.prank(OWNER);
        perps.setOutflowLimit(address(usdc), 1_000, small);
    }

    function _withdrawMany(address wallet, uint256 count)
        private
        returns (bool done, bytes memory reason)
    {
        bytes[] memory calls = new bytes[](count);
        for (uint256 i = 0; i < count; i++) {
            calls[i] = abi.encodeCall(perps.withdraw, (address(usdc), SMALL, wallet));
        }
        vm.prank(wallet);
        return address(perps).call(abi.encodeCall(perps.multicall, (calls)));
    }
}
