// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Timelock} from "solady/accounts/Timelock.sol";

/// The owner of engines, oracle and price sources in production: whatever it does was an event for at
/// least `minDelay` seconds before. Nobody is its admin; roles and delay change only through itself.
contract Governance is Timelock {
    uint256 public constant DELAY_LOWEST = 1 days;
    uint256 public constant DELAY_HIGHEST = 30 days;

    error DelayOutOfRange(uint256 delay, uint256 lowest, uint256 highest);
    /// An admin could hand out roles without waiting.
    error AdminRefused(address admin);

    /// Once, by the deployer, right after creation. The admin must be zero.
    function initialize(
        uint256 delay,
        address admin,
        address[] calldata proposers,
        address[] calldata executors,
        address[] calldata cancellers
    ) public override {
        require(admin == address(0), AdminRefused(admin));
        _requireDelay(delay);
        super.initialize(delay, admin, proposers, executors, cancellers);
    }

    /// Only through a proposal of its own.
    function setMinDelay(uint256 delay) public override {
        _requireDelay(delay);
        super.setMinDelay(delay);
    }

    function _requireDelay(uint256 delay) private pure {
        require(delay >= DELAY_LOWEST && delay <= DELAY_HIGHEST, DelayOutOfRange(delay, DELAY_LOWEST, DELAY_HIGHEST));
    }
}
