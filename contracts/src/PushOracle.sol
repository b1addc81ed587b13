// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianStop} from "./GuardianStop.sol";
import {Owned} from "./Owned.sol";
import {IOracle} from "./interfaces/IOracle.sol";
import {IPriceStore} from "./interfaces/IPriceStore.sol";

/// Stores the index prices that engines read. The pusher reports them, or for single assets a
/// contract that reads a price network.
contract PushOracle is IPriceStore, Owned {
    using GuardianStop for GuardianStop.Stop;

    /// One slot.
    struct Price {
        uint96 value;
        uint96 anchor; // last price accepted in a second before that of `value`
        uint32 time; // as the source reported it, Unix seconds; 0 once paused
        uint24 lag; // seconds from `time` to the block that accepted it
        bool doubted; // a later report that contradicts it is held
    }

    /// The price that an asset began with. One slot, written once.
    struct First {
        uint96 value;
        uint40 time; // the block's
    }

    /// A report that waits for another one to confirm it, while the accepted price is doubted.
    struct Jump {
        uint96 price;
        uint40 time;
        uint40 heldAt; // the block's
    }

    /// A report reads the first slot only.
    struct Feed {
        address source;
        bool paused;
        GuardianStop.Stop stop;
    }

    /// The highest price that an engine accepts: 7.9e10 units of quote.
    uint256 public constant PRICE_MAX = type(uint96).max;
    /// Seconds. Older reports are of no use to any engine.
    uint256 public constant AGE_MAX = 1 days;
    /// A price whose distance from its reference is more than this part of it has jumped.
    uint256 public constant JUMP_DIVISOR = 10;

    address public pusher;
    address public guardian;
    mapping(bytes32 asset => Price) private _prices;
    mapping(bytes32 asset => Jump) private _jumps;
    mapping(bytes32 asset => Feed) private _feeds;
    mapping(bytes32 asset => First) private _firsts;

    constructor(address owner_, address pusher_) Owned(owner_) {
        pusher = pusher_;
        emit PusherChanged(pusher_);
    }

    /* PRICES */

    /// @inheritdoc IPriceStore
    function push(bytes32[] calldata assets, uint256[] calldata prices, uint40 time) external {
        require(assets.length == prices.length, LengthsDiffer(assets.length, prices.length));
        bool isPusher = msg.sender == pusher;
        for (uint256 i = 0; i < assets.length; ++i) {
            Feed storage feed = _feeds[assets[i]];
            (address source, bool paused) = (feed.source, feed.paused);
            bool mayPush = source == address(0) ? isPusher : msg.sender == source;
            require(mayPush, NotSource(assets[i], msg.sender));
            require(!paused, AssetPaused(assets[i]));
            _push(assets[i], prices[i], time);
        }
    }

    /// @inheritdoc IOracle
    function read(bytes32 asset) external view returns (uint256 price, uint256 time) {
        Price storage newest = _prices[asset];
        return (newest.value, newest.doubted ? 0 : newest.time);
    }

    /// @inheritdoc IOracle
    function first(bytes32 asset) external view returns (uint256 price, uint256 time) {
        First storage begun = _firsts[asset];
        return (begun.value, begun.time);
    }

    function _push(bytes32 asset, uint256 price, uint40 time) private {
        Price memory newest = _prices[asset];
        require(price != 0, PriceZero(asset));
        require(price <= PRICE_MAX, PriceTooHigh(asset, price));
        require(time <= block.timestamp, PriceFromFuture(asset, time));
        require(time + AGE_MAX >= block.timestamp, PriceTooOld(asset, time));
        require(time >= newest.time, PriceOlder(asset, time, newest.time));
        if (newest.value == 0) {
            _firsts[asset] = First({value: uint96(price), time: uint40(block.timestamp)});
            _accept(asset, price, price, time);
            return;
        }
        // Within one second the price moves by one step at most, however many reports there are.
        bool isLater = uint256(newest.time) + newest.lag < block.timestamp;
        uint256 anchor = isLater ? newest.value : newest.anchor;
        if (_isNear(price, anchor)) _accept(asset, price, anchor, time);
        else if (_isConfirmed(asset, price, time, newest)) _accept(asset, price, price, time);
        else _hold(asset, price, time, newest);
    }

    function _accept(bytes32 asset, uint256 price, uint256 anchor, uint40 time) private {
        _prices[asset] = Price({
            value: uint96(price),
            anchor: uint96(anchor),
            time: uint32(time),
            lag: uint24(block.timestamp - time),
            doubted: false
        });
        emit Indexed(asset, price, time);
    }

    function _isNear(uint256 price, uint256 centre) private pure returns (bool) {
        uint256 distance = price > centre ? price - centre : centre - price;
        return distance * JUMP_DIVISOR <= centre;
    }

    function _isConfirmed(bytes32 asset, uint256 price, uint40 time, Price memory newest)
        private
        view
        returns (bool)
    {
        Jump memory jump = _jumps[asset];
        return newest.doubted && time > jump.time && block.timestamp > jump.heldAt
            && _isNear(price, jump.price);
    }

    /// Holds the report, unless one with the same or a later time is held already. Until the next
    /// report decides, the accepted price counts as stale: everybody sees where it may go, and
    /// somebody who trades at it with himself would leave the loss to insurance.
    function _hold(bytes32 asset, uint256 price, uint40 time, Price memory newest) private {
        Jump memory jump = _jumps[asset];
        if (newest.doubted && time <= jump.time) return;
        _jumps[asset] = Jump({price: uint96(price), time: time, heldAt: uint40(block.timestamp)});
        _prices[asset].doubted = true;
        emit JumpHeld(asset, price, time);
    }

    /* ROLES */

    /// @inheritdoc IPriceStore
    function sourceOf(bytes32 asset) external view returns (address) {
        return _feeds[asset].source;
    }

    /// @inheritdoc IPriceStore
    function isPaused(bytes32 asset) external view returns (bool) {
        return _feeds[asset].paused;
    }

    /// @inheritdoc IPriceStore
    function setPusher(address pusher_) external onlyOwner {
        pusher = pusher_;
        emit PusherChanged(pusher_);
    }

    /// @inheritdoc IPriceStore
    function setSource(bytes32 asset, address source) external onlyOwner {
        _feeds[asset].source = source;
        emit SourceChanged(asset, source);
    }

    /// @inheritdoc IPriceStore
    function setGuardian(address guardian_) external onlyOwner {
        guardian = guardian_;
        emit GuardianChanged(guardian_);
    }

    /// @inheritdoc IPriceStore
    function pause(bytes32 asset, bool paused) external {
        Feed storage feed = _feeds[asset];
        feed.stop.turn(paused, feed.paused, owner, guardian);
        feed.paused = paused;
        if (paused) {
            Price storage newest = _prices[asset];
            (newest.time, newest.lag, newest.doubted) = (0, 0, false);
        }
        emit Paused(asset, paused);
    }
}
