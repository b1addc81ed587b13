// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianStop} from "./GuardianStop.sol";
import {Owned} from "./Owned.sol";
import {Ownership} from "./Ownership.sol";
import {IOracle, PriceStatus} from "./interfaces/IOracle.sol";
import {IPriceStore} from "./interfaces/IPriceStore.sol";

/// Stores the index prices that engines read. The pusher reports them, or, for single assets, a
/// contract that reads a price network.
contract PushOracle is IPriceStore, Owned {
    using GuardianStop for GuardianStop.Stop;

    /// One slot.
    struct Price {
        uint96 value;
        uint96 anchor; // last price accepted in a second before that of `value`
        uint32 time; // as the source reported it, Unix seconds
        uint24 lag; // seconds from `time` to the block that accepted it
        PriceStatus status; // RETURNED stays until the next report
    }

    /// The first price of an asset. One slot, written once.
    struct First {
        uint96 value;
        uint40 time; // the block's
    }

    /// A report that waits for another one to confirm it, while the status is HELD.
    struct Jump {
        uint96 price;
        uint40 time;
        uint40 heldAt; // the block's
    }

    /// One slot.
    struct Feed {
        address source;
        bool paused;
        GuardianStop.Stop stop;
        uint40 changes; // reports accepted or held, and pauses
    }

    /// The highest price that an engine accepts: 7.9e10 units of quote.
    uint256 public constant PRICE_MAX = type(uint96).max;
    /// Seconds. Older reports are of no use to any engine.
    uint256 public constant AGE_MAX = 1 days;
    /// A price whose distance from its reference is more than this part of it has jumped.
    uint256 public constant JUMP_DIVISOR = 10;

    /// A move within a second that is more than this part of a price may cost an account more than
    /// the least maintenance margin.
    uint256 private constant MOVE_DIVISOR = 100;

    address public pusher;
    address public guardian;
    mapping(bytes32 asset => Price) private _prices;
    mapping(bytes32 asset => Jump) private _jumps;
    mapping(bytes32 asset => Feed) private _feeds;
    mapping(bytes32 asset => First) private _firsts;
    /// @inheritdoc IOracle
    uint256 public movedTime;

    constructor(address owner_, address pusher_) Ownership(owner_) {
        pusher = pusher_;
        emit PusherChanged(pusher_);
    }

    /* PRICES */

    /// @inheritdoc IPriceStore
    function push(bytes32[] calldata assets, uint256[] calldata prices, uint40 time) external {
        require(assets.length == prices.length, LengthsDiffer(assets.length, prices.length));
        for (uint256 i = 0; i < assets.length; ++i) {
            _requireSource(assets[i]);
            require(!_feeds[assets[i]].paused, AssetPaused(assets[i]));
            _push(assets[i], prices[i], time);
        }
    }

    /// @inheritdoc IPriceStore
    function refuse(bytes32 asset) external {
        _requireSource(asset);
        Price storage newest = _prices[asset];
        if (newest.status != PriceStatus.ACCEPTED && newest.status != PriceStatus.RETURNED) {
            return;
        }
        newest.status = PriceStatus.REFUSED;
        emit Refused(asset);
    }

    /// @inheritdoc IOracle
    function read(bytes32 asset)
        external
        view
        returns (uint256 price, uint256 time, uint256 earlier, PriceStatus status)
    {
        Price storage newest = _prices[asset];
        (price, time, status) = (newest.value, newest.time, newest.status);
        unchecked {
            if (time + newest.lag == block.timestamp) return (price, time, newest.anchor, status);
        }
        earlier = price;
        if (status == PriceStatus.RETURNED) status = PriceStatus.ACCEPTED;
    }

    /// @inheritdoc IOracle
    function changesOf(bytes32 asset) external view returns (uint256) {
        return _feeds[asset].changes;
    }

    /// @inheritdoc IOracle
    function first(bytes32 asset) external view returns (uint256 price, uint256 time) {
        First storage begun = _firsts[asset];
        return (begun.value, begun.time);
    }

    function _requireSource(bytes32 asset) private view {
        address source = _feeds[asset].source;
        require(
            msg.sender == (source == address(0) ? pusher : source), NotSource(asset, msg.sender)
        );
    }

    /// Returns whether the price was accepted before this second.
    function _isOld(Price memory newest) private view returns (bool) {
        return uint256(newest.time) + newest.lag < block.timestamp;
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
            _accept(asset, price, price, time, PriceStatus.ACCEPTED);
            return;
        }
        // Within one second the price moves by one step at most, however many reports there are.
        bool isOld = _isOld(newest);
        uint256 anchor = isOld ? newest.value : newest.anchor;
        if (_isNear(price, anchor)) {
            _accept(asset, price, anchor, time, _statusAfter(newest.status, isOld));
        } else if (_isConfirmed(asset, price, time, newest)) {
            _accept(asset, price, price, time, PriceStatus.RETURNED);
            movedTime = block.timestamp;
        } else {
            _hold(asset, price, time, newest);
        }
    }

    /// The status of a price that is accepted near its anchor after one of status `before`. If that
    /// was accepted in this second and is in doubt, or came out of one, the anchor may be of this
    /// second itself: nothing can be compared with it.
    function _statusAfter(PriceStatus before, bool isOld) private pure returns (PriceStatus) {
        return
            isOld || before == PriceStatus.ACCEPTED ? PriceStatus.ACCEPTED : PriceStatus.RETURNED;
    }

    function _accept(bytes32 asset, uint256 price, uint256 anchor, uint40 time, PriceStatus status)
        private
    {
        _prices[asset] = Price({
            value: uint96(price),
            anchor: uint96(anchor),
            time: uint32(time),
            lag: uint24(block.timestamp - time),
            status: status
        });
        _feeds[asset].changes += 1;
        if (!_isWithin(price, anchor, MOVE_DIVISOR)) movedTime = block.timestamp;
        emit Indexed(asset, price, time);
    }

    function _isNear(uint256 price, uint256 centre) private pure returns (bool) {
        return _isWithin(price, centre, JUMP_DIVISOR);
    }

    function _isWithin(uint256 price, uint256 centre, uint256 divisor)
        private
        pure
        returns (bool)
    {
        uint256 distance = price > centre ? price - centre : centre - price;
        return distance * divisor <= centre;
    }

    function _isConfirmed(bytes32 asset, uint256 price, uint40 time, Price memory newest)
        private
        view
        returns (bool)
    {
        Jump memory jump = _jumps[asset];
        return newest.status == PriceStatus.HELD && time > jump.time
            && block.timestamp > jump.heldAt && _isNear(price, jump.price);
    }

    /// Holds the report, unless one with the same or a later time is already held. Until the next
    /// report decides, the accepted price counts as stale: the pending price is public, and trading
    /// at the old one with a second account would leave the loss to insurance.
    function _hold(bytes32 asset, uint256 price, uint40 time, Price memory newest) private {
        Jump memory jump = _jumps[asset];
        if (newest.status == PriceStatus.HELD && time <= jump.time) return;
        _jumps[asset] = Jump({price: uint96(price), time: time, heldAt: uint40(block.timestamp)});
        _prices[asset].status = PriceStatus.HELD;
        _feeds[asset].changes += 1;
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
        feed.stop.turn(paused, feed.paused, _owner, guardian);
        feed.paused = paused;
        if (paused) {
            _prices[asset].status = PriceStatus.PAUSED;
            feed.changes += 1;
        }
        emit Paused(asset, paused);
    }
}
