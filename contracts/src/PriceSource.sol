// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibCall} from "solady/utils/LibCall.sol";
import {Owned} from "./Owned.sol";
import {Ownership} from "./Ownership.sol";
import {IOracle, PriceStatus} from "./interfaces/IOracle.sol";
import {IPriceSource} from "./interfaces/IPriceSource.sol";
import {IPriceStore} from "./interfaces/IPriceStore.sol";

/// Reads a price network and reports to the store as the source of its assets. Anyone may trigger a
/// report: it passes on the network's prices unchanged and leaves out those that must not be used.
abstract contract PriceSource is IPriceSource, Owned {
    uint256 private constant DECIMALS = 18;
    /// 10^78 and more do not fit a uint256.
    uint256 private constant POWER_MAX = 77;
    /// A network's clock may be this far ahead of the chain's. A time farther ahead is rejected as
    /// a mistake.
    uint256 public constant AHEAD_MAX = 10 seconds;

    /// One slot.
    struct Ahead {
        uint40 time; // the network's
        uint40 counted; // the chain's second that it counts as
    }

    IPriceStore public immutable store;

    mapping(bytes32 asset => Ahead) private _ahead;

    constructor(IPriceStore store_, address owner_) Ownership(owner_) {
        store = store_;
    }

    /// @inheritdoc IPriceSource
    function report(bytes32 asset) public {
        try this.reading(asset) returns (uint256 price, uint256 time) {
            time = _counted(asset, time);
            if (time <= block.timestamp) _push(asset, price, time);
            else _refuse(asset, IOracle.PriceFromFuture.selector);
        } catch (bytes memory reason) {
            // Only specific errors: a call that runs out of gas is not evidence about the price.
            if (!_isRefusal(bytes4(reason))) LibCall.bubbleUpRevert(reason);
            _refuse(asset, bytes4(reason));
        }
    }

    function _push(bytes32 asset, uint256 price, uint256 time) private {
        (uint256 known, uint256 knownTime,, PriceStatus status) = store.read(asset);
        if (price == known && time == knownTime && status == PriceStatus.ACCEPTED) return;
        bytes32[] memory assets = new bytes32[](1);
        uint256[] memory prices = new uint256[](1);
        (assets[0], prices[0]) = (asset, price);
        store.push(assets, prices, uint40(time));
    }

    function _refuse(bytes32 asset, bytes4 reason) private {
        store.refuse(asset);
        emit PassedOver(asset, reason);
    }

    /// @inheritdoc IPriceSource
    function reportAll(bytes32[] calldata assets) public {
        for (uint256 i = 0; i < assets.length; i++) {
            try this.report(assets[i]) {}
            catch (bytes memory reason) {
                emit PassedOver(assets[i], bytes4(reason));
            }
        }
    }

    /// @inheritdoc IPriceSource
    function reading(bytes32 asset) public view virtual returns (uint256 price, uint256 time);

    /// Returns whether an error of `reading` with this selector means that the network has a
    /// reading that must not be used.
    function _isRefusal(bytes4 selector) internal pure virtual returns (bool) {
        return selector == PriceNotPositive.selector || selector == IOracle.PriceZero.selector
            || selector == IOracle.PriceTooHigh.selector;
    }

    /// A time that is a little ahead always counts as the second in which it was first seen. If it
    /// counted as a new time in each second, one report could confirm its own jump.
    function _counted(bytes32 asset, uint256 time) private returns (uint256) {
        Ahead memory seen = _ahead[asset];
        if (time == seen.time && time != 0) return seen.counted;
        if (time <= block.timestamp || time > block.timestamp + AHEAD_MAX) return time;
        _ahead[asset] = Ahead({time: uint40(time), counted: uint40(block.timestamp)});
        return block.timestamp;
    }

    /// `value`, which has `decimals` decimals, with 18; truncated towards zero. Reverts with
    /// PriceZero or PriceTooHigh where the store would.
    function _scaled(bytes32 asset, uint256 value, int256 decimals)
        internal
        pure
        returns (uint256 price)
    {
        if (decimals > int256(DECIMALS)) {
            uint256 excess = uint256(decimals) - DECIMALS;
            price = excess > POWER_MAX ? 0 : value / 10 ** excess;
        } else {
            uint256 power = uint256(int256(DECIMALS) - decimals);
            require(
                power <= POWER_MAX && value <= type(uint256).max / 10 ** power,
                IOracle.PriceTooHigh(asset, value)
            );
            price = value * 10 ** power;
        }
        require(price != 0, IOracle.PriceZero(asset));
        require(price <= type(uint96).max, IOracle.PriceTooHigh(asset, price));
    }
}
