// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PriceSource} from "./PriceSource.sol";
import {IAggregatorBounds, IAggregatorV3} from "./interfaces/IAggregatorV3.sol";
import {IPriceSource} from "./interfaces/IPriceSource.sol";
import {IPriceStore} from "./interfaces/IPriceStore.sol";

/// Reports prices of on-chain feeds in Chainlink's format. If the chain has a sequencer, it reports
/// nothing while that is down and for an hour after, so that users can react first.
contract ChainlinkSource is PriceSource {
    event FeedChanged(bytes32 indexed asset, address indexed feed);

    /// The feed's newest round has no answer yet.
    error RoundUnanswered(bytes32 asset, uint80 round, uint80 answeredInRound);

    /// The feed cannot answer beyond `least` and `most`, so the true price may be anywhere past
    /// them.
    error AnswerAtBound(bytes32 asset, int256 answer, int256 least, int256 most);
    error SequencerDown();
    /// The sequencer is up again; prices count from `time` on, Unix seconds.
    error SequencerJustUp(uint256 time);

    uint256 public constant GRACE = 1 hours;

    /// The feed that reports whether the chain's sequencer is up; zero if the chain has none.
    IAggregatorV3 public immutable sequencer;

    mapping(bytes32 asset => IAggregatorV3) public feedOf;

    constructor(IPriceStore store_, address owner_, IAggregatorV3 sequencer_)
        PriceSource(store_, owner_)
    {
        sequencer = sequencer_;
    }

    /// Sets the feed of `asset`; zero for none. Only the owner.
    function setFeed(bytes32 asset, IAggregatorV3 feed) external onlyOwner {
        feedOf[asset] = feed;
        emit FeedChanged(asset, address(feed));
    }

    /// @inheritdoc IPriceSource
    function reading(bytes32 asset) public view override returns (uint256 price, uint256 time) {
        IAggregatorV3 feed = feedOf[asset];
        require(address(feed) != address(0), FeedUnknown(asset));
        _requireSequencer();
        (uint80 round, int256 answer,, uint256 updatedAt, uint80 answeredInRound) =
            feed.latestRoundData();
        require(
            round != 0 && answeredInRound >= round && updatedAt != 0,
            RoundUnanswered(asset, round, answeredInRound)
        );
        require(answer > 0, PriceNotPositive(asset, answer));
        _requireWithinBounds(asset, address(feed), answer);
        return (_scaled(asset, uint256(answer), int256(uint256(feed.decimals()))), updatedAt);
    }

    /// @inheritdoc PriceSource
    function _isRefusal(bytes4 selector) internal pure override returns (bool) {
        return selector == RoundUnanswered.selector || selector == AnswerAtBound.selector
            || selector == SequencerDown.selector || selector == SequencerJustUp.selector
            || super._isRefusal(selector);
    }

    function _requireSequencer() private view {
        if (address(sequencer) == address(0)) return;
        (, int256 answer, uint256 startedAt,,) = sequencer.latestRoundData();
        require(answer == 0 && startedAt != 0, SequencerDown());
        require(block.timestamp > startedAt + GRACE, SequencerJustUp(startedAt + GRACE + 1));
    }

    /// Reads the bounds for each report, since the contract behind a feed may change. A feed
    /// without bounds passes.
    function _requireWithinBounds(bytes32 asset, address feed, int256 answer) private view {
        (bool answered, uint256 aggregator) = _ask(feed, IAggregatorBounds.aggregator.selector);
        if (!answered || aggregator > type(uint160).max) return;
        (bool hasLeast, uint256 least) =
            _ask(address(uint160(aggregator)), IAggregatorBounds.minAnswer.selector);
        (bool hasMost, uint256 most) =
            _ask(address(uint160(aggregator)), IAggregatorBounds.maxAnswer.selector);
        if (!hasLeast || !hasMost) return;
        require(
            answer > int256(least) && answer < int256(most),
            AnswerAtBound(asset, answer, int256(least), int256(most))
        );
    }

    /// Returns whether `target` answers `question` with one word, and that word.
    function _ask(address target, bytes4 question) private view returns (bool, uint256) {
        (bool done, bytes memory answer) = target.staticcall(abi.encodePacked(question));
        return done && answer.length == 32 ? (true, abi.decode(answer, (uint256))) : (false, 0);
    }
}
