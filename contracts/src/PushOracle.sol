// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Owned} from "./Owned.sol";
import {IOracle} from "./interfaces/IOracle.sol";

/// Index prices that one trusted pusher reports. The first adapter of `IOracle`; engines know only
/// `read`, so that adapters of price networks can take its place market by market.
contract PushOracle is IOracle, Owned {
    struct Price {
        uint128 value;
        uint40 time;
    }

    event PusherChanged(address indexed pusher);

    error NotPusher(address caller);
    error LengthsDiffer(uint256 assets, uint256 prices);

    /// What an engine takes: 7.9e10 units of quote.
    uint256 public constant PRICE_MAX = type(uint96).max;

    address public pusher;
    mapping(bytes32 asset => Price) private _prices;

    constructor(address owner_, address pusher_) Owned(owner_) {
        pusher = pusher_;
        emit PusherChanged(pusher_);
    }

    /// Takes prices that were observed at `time`: not in the future, not older than the newest ones.
    /// All or none. Equal times are fine, since blocks may share a second.
    function push(bytes32[] calldata assets, uint256[] calldata prices, uint40 time) external {
        require(msg.sender == pusher, NotPusher(msg.sender));
        require(assets.length == prices.length, LengthsDiffer(assets.length, prices.length));
        for (uint256 i = 0; i < assets.length; ++i) {
            _push(assets[i], prices[i], time);
        }
    }

    /// @inheritdoc IOracle
    function read(bytes32 asset) external view returns (uint256 price, uint256 time) {
        Price storage newest = _prices[asset];
        return (newest.value, newest.time);
    }

    function _push(bytes32 asset, uint256 price, uint40 time) private {
        Price storage newest = _prices[asset];
        require(price != 0, PriceZero(asset));
        require(price <= PRICE_MAX, PriceTooHigh(asset, price));
        require(time <= block.timestamp, PriceFromFuture(asset, time));
        require(time >= newest.time, PriceOlder(asset, time, newest.time));
        newest.value = uint128(price);
        newest.time = time;
        emit Indexed(asset, price, time);
    }

    function setPusher(address pusher_) external onlyOwner {
        pusher = pusher_;
        emit PusherChanged(pusher_);
    }
}
