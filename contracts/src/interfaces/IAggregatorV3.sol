// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A price feed in Chainlink's format. For a sequencer's feed an answer of 0 means that it is up,
/// and `startedAt` is the time of the last change.
interface IAggregatorV3 {
    function decimals() external view returns (uint8);

    function latestRoundData()
        external
        view
        returns (
            uint80 roundId,
            int256 answer,
            uint256 startedAt,
            uint256 updatedAt,
            uint80 answeredInRound
        );
}

/// Further members of some feeds: the contract behind them, and the bounds of its answers.
interface IAggregatorBounds {
    function aggregator() external view returns (address);
    function minAnswer() external view returns (int192);
    function maxAnswer() external view returns (int192);
}
