// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GovernanceSetup} from "../governance/GovernanceSetup.sol";

/// A proposal could be executed at any later time: a forgotten one, or one made to be ready in
/// years, was a change without warning.
contract StaleProposalTest is GovernanceSetup {
    uint256 private constant LIFE = 14 days;

    bytes private _data;

    function setUp() public override {
        super.setUp();
        _data = _dataOf(address(oracle), abi.encodeCall(oracle.setPusher, (ALICE)));
    }

    function test_a_proposal_is_carried_out_until_14_days_after_it_was_ready() public {
        _propose(_data);
        _pass(DELAY + LIFE);
        vm.assertTrue(_executes(_data));
        vm.assertEq(oracle.pusher(), ALICE);
    }

    function test_a_forgotten_proposal_is_never_carried_out() public {
        _propose(_data);
        _pass(DELAY + LIFE + 1);
        vm.assertFalse(_executes(_data), "a second late");
        _pass(365 days);
        vm.assertFalse(_executes(_data));
        vm.assertEq(oracle.pusher(), PUSHER);
    }

    function test_a_batch_of_batches_carries_out_no_forgotten_proposal_either() public {
        _propose(_data);
        _pass(DELAY + LIFE + 1);
        bytes[] memory batches = new bytes[](1);
        batches[0] = _data;
        bytes32 mode = 0x0100000000007821000200000000000000000000000000000000000000000000;
        vm.prank(EXECUTOR);
        (bool done,) = address(governance)
            .call(abi.encodeCall(governance.execute, (mode, abi.encode(batches))));
        vm.assertFalse(done);
        vm.assertEq(oracle.pusher(), PUSHER);
    }

    function test_a_proposal_that_would_be_ready_in_years_is_refused() public {
        vm.prank(PROPOSER);
        (bool done,) = address(governance)
            .call(abi.encodeCall(governance.propose, (MODE, _data, 30 days + 1)));
        vm.assertFalse(done);
        vm.prank(PROPOSER);
        (done,) =
            address(governance).call(abi.encodeCall(governance.propose, (MODE, _data, 30 days)));
        vm.assertTrue(done);
    }

    /// It is not proposed again as it was, but cancelled first, or with another salt.
    function test_an_expired_proposal_comes_back_after_its_delay_alone() public {
        bytes32 id = _propose(_data);
        _pass(DELAY + LIFE + 1);
        vm.prank(CANCELLER);
        governance.cancel(id);
        _propose(_data);
        vm.assertFalse(_executes(_data));
        _pass(DELAY);
        vm.assertTrue(_executes(_data));
    }

    function _executes(bytes memory data) private returns (bool done) {
        vm.prank(EXECUTOR);
        (done,) = address(governance).call(abi.encodeCall(governance.execute, (MODE, data)));
    }
}
