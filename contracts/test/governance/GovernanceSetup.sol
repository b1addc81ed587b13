// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC7821} from "solady/accounts/ERC7821.sol";
import {Governance} from "../../src/Governance.sol";
import {ISpot} from "../../src/interfaces/ISpot.sol";
import {DevToken} from "../../src/dev/DevToken.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// Deploys a venue as in production: a timelock owns engines and oracle, and there is a guardian.
abstract contract GovernanceSetup is PerpsSetup {
    // Below 2^96, with the digits that are kept.
    uint128 internal constant VALUE_HIGHEST = 792_281_625e20;
    bytes32 internal constant MODE =
        0x0100000000007821000100000000000000000000000000000000000000000000;
    uint256 internal constant DELAY = 2 days;
    uint128 internal constant VALUE_MAX = 1_000_000e6;

    address internal constant PROPOSER = address(0x9A);
    address internal constant EXECUTOR = address(0xE0);
    address internal constant CANCELLER = address(0xC0);
    address internal constant GUARDIAN = address(0x6A);

    Governance internal governance;
    ISpot internal spot;
    DevToken internal eth;
    uint32 internal spotMarket;

    function setUp() public virtual override {
        super.setUp();
        eth = new DevToken("Ether", "ETH", 18);
        spot = ISpot(vm.deployCode("out/shipped/Spot.sol/Spot.json", abi.encode(accounts, OWNER)));
        vm.startPrank(OWNER);
        spotMarket = spot.list("ETH-USDC", address(eth), address(usdc), 1e4, 1e14, 1e6, VALUE_MAX);
        spot.setGuardian(GUARDIAN);
        perps.setGuardian(GUARDIAN);
        oracle.setGuardian(GUARDIAN);
        vm.stopPrank();
        governance =
            Governance(payable(vm.deployCode("out/shipped/Governance.sol/Governance.json", "")));
        governance.initialize(
            DELAY, address(0), _only(PROPOSER), _only(EXECUTOR), _only(CANCELLER)
        );
        _handOver();
    }

    /// Both steps: the owner offers, the timelock accepts once its delay has passed.
    function _handOver() private {
        ERC7821.Call[] memory calls = new ERC7821.Call[](3);
        address[3] memory owned = [address(spot), address(perps), address(oracle)];
        for (uint256 i = 0; i < owned.length; i++) {
            vm.prank(OWNER);
            IOwned(owned[i]).offerOwnership(address(governance));
            calls[i] = ERC7821.Call(owned[i], 0, abi.encodeCall(IOwned.acceptOwnership, ()));
        }
        bytes memory data = abi.encode(calls);
        _propose(data);
        _pass(DELAY);
        _execute(data);
        _index(2000e18);
    }

    /// The data of a proposal of one call.
    function _dataOf(address target, bytes memory call_) internal pure returns (bytes memory) {
        ERC7821.Call[] memory calls = new ERC7821.Call[](1);
        calls[0] = ERC7821.Call(target, 0, call_);
        return abi.encode(calls);
    }

    function _propose(bytes memory data) internal returns (bytes32) {
        vm.prank(PROPOSER);
        return governance.propose(MODE, data, DELAY);
    }

    function _execute(bytes memory data) internal {
        vm.prank(EXECUTOR);
        governance.execute(MODE, data);
    }

    function _only(address who) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = who;
    }
}
