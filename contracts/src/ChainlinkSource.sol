// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PriceSource} from "./PriceSource.sol";
import {IAggregatorV3} from "./interfaces/IAggregatorV3.sol";
import {IPriceSource} from "./interfaces/IPriceSource.sol";
import {IPriceStore} from "./interfaces/IPriceStore.sol";

/// Prices of feeds in Chainlink's shape, which write themselves onto the chain.
contract ChainlinkSource is PriceSource {
    event FeedChanged(bytes32 indexed asset, address indexed feed);

    /// The feed's newest round has no answer of its own.
    error RoundUnanswered(bytes32 asset, uint80 round, uint80 answeredInRound);

    mapping(bytes32 asset => IAggregatorV3) public feedOf;

    constructor(IPriceStore store_, address owner_) PriceSource(store_, owner_) {}

    /// Names the feed of `asset`; zero for none. Only the owner.
    function setFeed(bytes32 asset, IAggregatorV3 feed) external onlyOwner {
        feedOf[asset] = feed;
        emit FeedChanged(asset, address(feed));
    }

    /// @inheritdoc IPriceSource
    function reading(bytes32 asset) public view override returns (uint256 price, uint256 time) {
        IAggregatorV3 feed = feedOf[asset];
        require(address(feed) != address(0), FeedUnknown(asset));
        (uint80 round, int256 answer,, uint256 updatedAt, uint80 answeredInRound) = feed.latestRoundData();
        require(
            round != 0 && answeredInRound >= round && updatedAt != 0, RoundUnanswered(asset, round, answeredInRound)
        );
        require(answer > 0, PriceNotPositive(asset, answer));
        return (_scaled(asset, uint256(answer), int256(uint256(feed.decimals()))), updatedAt);
    }
}
