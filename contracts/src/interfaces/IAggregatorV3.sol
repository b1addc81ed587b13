// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A feed in Chainlink's shape. Of a sequencer's feed an answer of 0 says that it is up, and `startedAt`
/// since when it is as it is.
interface IAggregatorV3 {
    function decimals() external view returns (uint8);

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}

/// What a feed may tell besides: the contract behind it, and the least and the most that this one answers.
interface IAggregatorBounds {
    function aggregator() external view returns (address);
    function minAnswer() external view returns (int192);
    function maxAnswer() external view returns (int192);
}
