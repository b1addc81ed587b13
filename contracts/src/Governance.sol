// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Timelock} from "solady/accounts/Timelock.sol";
import {IOwned} from "./interfaces/IOwned.sol";

/// The timelock that owns the engines, oracle and price sources in production. Every action is
/// announced by an event at least `minDelay` seconds and at most 44 days before. It has no admin:
/// roles and delay change only through its own proposals.
contract Governance is Timelock {
    uint256 public constant DELAY_LOWEST = 1 days;
    uint256 public constant DELAY_HIGHEST = 30 days;
    /// Period in which a ready proposal can be executed; after it users would no longer expect the
    /// change.
    uint256 public constant PROPOSAL_LIFE = 14 days;

    error DelayOutOfRange(uint256 delay, uint256 lowest, uint256 highest);
    /// An admin could grant roles without a delay.
    error AdminRefused(address admin);
    error ProposalExpired(bytes32 id, uint256 expiry);

    /// Called once by the deployer, right after creation. `admin` must be zero.
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

    /// Accepts ownership offered to this timelock. Anyone may call it, without a delay: until the
    /// timelock is the owner, a single key can change everything without a delay.
    function acceptOwnership(IOwned owned) external {
        owned.acceptOwnership();
    }

    /// Announces a proposal that is ready after `delay` seconds, at least `minDelay` and at most 30
    /// days. To repeat an expired proposal, cancel it first or use another salt.
    function propose(bytes32 mode, bytes calldata executionData, uint256 delay)
        public
        override
        returns (bytes32)
    {
        require(delay <= DELAY_HIGHEST, DelayOutOfRange(delay, minDelay(), DELAY_HIGHEST));
        return super.propose(mode, executionData, delay);
    }

    /// Only through a proposal of its own.
    function setMinDelay(uint256 delay) public override {
        _requireDelay(delay);
        super.setMinDelay(delay);
    }

    /// Every proposal of every mode passes here, also those of a batch of batches.
    function _execute(
        bytes32 mode,
        bytes calldata executionData,
        Call[] calldata calls,
        bytes calldata opData
    ) internal override {
        bytes32 id = keccak256(abi.encode(mode, keccak256(executionData)));
        uint256 expiry = readyTimestamp(id) + PROPOSAL_LIFE;
        // The parent rejects unknown proposals.
        require(
            block.timestamp <= expiry || operationState(id) != OperationState.Ready,
            ProposalExpired(id, expiry)
        );
        super._execute(mode, executionData, calls, opData);
    }

    function _requireDelay(uint256 delay) private pure {
        require(
            delay >= DELAY_LOWEST && delay <= DELAY_HIGHEST,
            DelayOutOfRange(delay, DELAY_LOWEST, DELAY_HIGHEST)
        );
    }
}
