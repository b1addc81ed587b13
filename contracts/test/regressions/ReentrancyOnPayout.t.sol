// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DevToken} from "../../src/dev/DevToken.sol";
import {IBook, OrderRequest} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {ILiquidation, IPerps, IPerpsAdmin, IPerpsMarks} from "../../src/interfaces/IPerps.sol";
import {ITrimming} from "../../src/interfaces/ITrimming.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A token that calls back while it moves, as an account of the engine.
contract HostileToken is DevToken {
    address private _target;
    bytes private _call;
    bytes public answer;
    bool public done;

    constructor() DevToken("Hostile", "HOST", 6) {}

    function arm(address target, bytes calldata call_) external {
        (_target, _call) = (target, call_);
    }

    function act(address target, bytes calldata call_) external {
        (bool success, bytes memory result) = target.call(call_);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(result, 0x20), mload(result))
        }
    }

    function _afterTokenTransfer(address, address, uint256) internal override {
        if (_target == address(0)) return;
        address target = _target;
        _target = address(0);
        (done, answer) = target.call(_call);
    }
}

/// Clober's vault, December 2024, and GMX, July 2025, paid out before they had finished their
/// books. Here effects come first, and a callback from a token finds every function locked.
contract ReentrancyOnPayoutTest is LiquidationSetup {
    bytes4 private constant REENTRANCY = bytes4(keccak256("Reentrancy()"));

    HostileToken private token;
    IPerps private engine;
    uint32 private traded;

    function setUp() public override {
        super.setUp();
        token = new HostileToken();
        engine = _deployPerps(accounts, oracle, address(token), OWNER);
        vm.prank(OWNER);
        traded = engine.list("ETH-PERP", "ETH", 1e16, 1e15, 1_000e18, _parameters());
        token.mint(address(token), 1_000e6);
        token.act(address(token), abi.encodeCall(token.approve, (address(engine), 1_000e6)));
        token.act(address(engine), abi.encodeCall(ILedger.deposit, (address(token), 900e6)));
    }

    function test_every_entry_point_is_locked_while_a_withdrawal_is_paid() public {
        uint40 account = accounts.accountOf(address(token));
        OrderRequest memory request = _gtc(true, TICK, 100);
        uint40[] memory orders = new uint40[](0);
        bytes[] memory inner = new bytes[](1);
        inner[0] = abi.encodeCall(ILedger.withdraw, (address(token), 1e6, BOB));
        bytes[] memory calls = new bytes[](11);
        calls[0] = inner[0];
        calls[1] = abi.encodeCall(ILedger.deposit, (address(token), 1e6));
        calls[2] = abi.encodeCall(ILedger.transfer, (address(token), BOB, 1e6));
        calls[3] = abi.encodeCall(IBook.place, (request));
        calls[4] = abi.encodeCall(IBook.cancel, (traded, 1));
        calls[5] = abi.encodeCall(IBook.cancelAll, (traded, orders));
        calls[6] = abi.encodeCall(ITrimming.sweep, (traded, orders));
        calls[7] = abi.encodeCall(IPerpsAdmin.setLeverage, (traded, 5));
        calls[8] = abi.encodeCall(IPerpsMarks.poke, (traded));
        calls[9] = abi.encodeCall(ILiquidation.liquidate, (account, traded, orders));
        calls[10] = abi.encodeCall(IBook.multicall, (inner));
        for (uint256 i = 0; i < calls.length; i++) {
            token.arm(address(engine), calls[i]);
            token.act(
                address(engine), abi.encodeCall(ILedger.withdraw, (address(token), 1e6, BOB))
            );
            vm.assertFalse(token.done(), "a call got through the lock");
            vm.assertEq(bytes32(bytes4(token.answer())), bytes32(REENTRANCY));
        }
        vm.assertEq(engine.holdingOf(account).collateral, int256(900e18 - calls.length * 1e18));
        vm.assertEq(token.balanceOf(address(engine)), 900e6 - calls.length * 1e6);
    }

    function test_every_entry_point_is_locked_while_a_deposit_is_drawn() public {
        token.arm(address(engine), abi.encodeCall(ILedger.withdraw, (address(token), 50e6, BOB)));
        token.act(address(engine), abi.encodeCall(ILedger.deposit, (address(token), 10e6)));
        vm.assertFalse(token.done(), "a call got through the lock");
        vm.assertEq(bytes32(bytes4(token.answer())), bytes32(REENTRANCY));
        vm.assertEq(token.balanceOf(address(engine)), 910e6);
    }
}
