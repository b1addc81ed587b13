// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPyth} from "@pythnetwork/pyth-sdk-solidity/IPyth.sol";
import {PythStructs} from "@pythnetwork/pyth-sdk-solidity/PythStructs.sol";
import {PriceSource} from "./PriceSource.sol";
import {IPriceSource} from "./interfaces/IPriceSource.sol";
import {IPriceStore} from "./interfaces/IPriceStore.sol";

/// Reports prices of Pyth. Its data is signed off chain, so the caller supplies it for a fresh
/// price.
contract PythSource is PriceSource {
    event FeedChanged(bytes32 indexed asset, bytes32 priceId);

    error ConfidenceTooWide(bytes32 asset, uint256 confidence, uint256 price);
    error FeeDiffers(uint256 paid, uint256 fee);

    /// Half of a price's confidence interval is at most 1 / 200 of the price.
    uint256 public constant CONFIDENCE_DIVISOR = 200;

    IPyth public immutable pyth;

    mapping(bytes32 asset => bytes32 priceId) public feedOf;

    constructor(IPriceStore store_, IPyth pyth_, address owner_) PriceSource(store_, owner_) {
        pyth = pyth_;
    }

    /// Sets the Pyth feed of `asset`; zero for none. Only the owner.
    function setFeed(bytes32 asset, bytes32 priceId) external onlyOwner {
        feedOf[asset] = priceId;
        emit FeedChanged(asset, priceId);
    }

    /// Passes signed `data` on to Pyth, for exactly its fee in wei, then reports `assets` as
    /// `reportAll` does. Reverts with FeeDiffers.
    function update(bytes[] calldata data, bytes32[] calldata assets) external payable {
        uint256 fee = pyth.getUpdateFee(data);
        require(msg.value == fee, FeeDiffers(msg.value, fee));
        pyth.updatePriceFeeds{value: fee}(data);
        reportAll(assets);
    }

    /// @inheritdoc IPriceSource
    function reading(bytes32 asset) public view override returns (uint256 price, uint256 time) {
        bytes32 priceId = feedOf[asset];
        require(priceId != 0, FeedUnknown(asset));
        PythStructs.Price memory newest = pyth.getPriceUnsafe(priceId);
        require(newest.price > 0, PriceNotPositive(asset, newest.price));
        uint256 value = uint64(newest.price);
        require(
            uint256(newest.conf) * CONFIDENCE_DIVISOR <= value,
            ConfidenceTooWide(asset, newest.conf, value)
        );
        return (_scaled(asset, value, -int256(newest.expo)), newest.publishTime);
    }

    /// @inheritdoc PriceSource
    function _isRefusal(bytes4 selector) internal pure override returns (bool) {
        return selector == ConfidenceTooWide.selector || super._isRefusal(selector);
    }
}
