// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Test} from "../Vm.sol";

interface IHandler {
    function place(uint256 seed) external;
    function seen(string calldata what) external view returns (uint256);
    /// Requires every rule of the whole state.
    function check() external view;
    /// Checks the rules that hold at the end of a run.
    function finish() external;
}

/// Runs the fuzzer's calls, and a long fixed series of random ones. The handler checks the changes
/// of each call; this checks the whole state, at the intervals set in foundry.toml and at the end
/// of each run.
abstract contract Campaign is Test {
    struct Selectors {
        address target;
        bytes4[] selectors;
    }

    uint256 private constant LONG_RUN = 10_000;

    IHandler private _handler;
    bytes4[] private _calls;

    /// Each of `selectors` once, and placing as often as all of them: books must grow faster than
    /// they are emptied.
    function _start(address handler, bytes4[] memory selectors) internal {
        _handler = IHandler(handler);
        for (uint256 i = 0; i < selectors.length; i++) {
            _calls.push(selectors[i]);
            _calls.push(IHandler.place.selector);
        }
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    function targetSelectors() external view returns (Selectors[] memory targets) {
        targets = new Selectors[](1);
        targets[0] = Selectors(address(_handler), _calls);
    }

    /// One function, so that one campaign serves all the rules.
    function invariant_storage_agrees_with_itself_the_tokens_and_the_logs() external view {
        _handler.check();
    }

    function afterInvariant() external {
        _handler.finish();
        _handler.check();
    }

    /// Runs the fuzzer's calls with a fixed seed. A campaign proves nothing about cases that it
    /// never meets: all of `corners` must have been seen, and in a long run (RANDOM_CALLS) the rare
    /// ones, too.
    function _runRandomCalls(string[] memory corners, string[] memory rare) internal {
        _runRandomCalls(corners, rare, 3_000);
    }

    /// The same with `calls` calls in a short run.
    function _runRandomCalls(string[] memory corners, string[] memory rare, uint256 calls)
        internal
    {
        uint256 steps = vm.envOr("RANDOM_CALLS", calls);
        for (uint256 i = 0; i < steps; i++) {
            uint256 seed = uint256(keccak256(abi.encode("random calls", i)));
            (bool done, bytes memory reason) =
                address(_handler).call(abi.encodeWithSelector(_calls[seed % _calls.length], seed));
            if (!done) {
                assembly ("memory-safe") {
                    revert(add(reason, 0x20), mload(reason))
                }
            }
        }
        _expectSeen(corners);
        if (steps >= LONG_RUN) _expectSeen(rare);
        _handler.finish();
        _handler.check();
    }

    function _expectSeen(string[] memory corners) private view {
        for (uint256 i = 0; i < corners.length; i++) {
            vm.assertTrue(
                _handler.seen(corners[i]) != 0, string.concat("never seen: ", corners[i])
            );
        }
    }
}
