// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Owned} from "./Owned.sol";
import {IOracle} from "./interfaces/IOracle.sol";
import {IPriceSource} from "./interfaces/IPriceSource.sol";
import {IPriceStore} from "./interfaces/IPriceStore.sol";

/// Reads a price network and reports to the store as the source of its assets. Anyone may make it
/// report: it passes on the network's prices unchanged and leaves out those that must not be used.
abstract contract PriceSource is IPriceSource, Owned {
    uint256 private constant DECIMALS = 18;
    /// 10^78 and more do not fit a uint256.
    uint256 private constant POWER_MAX = 77;
    /// A network's clock may be this far ahead of the chain's. A time farther ahead is taken for a
    /// mistake.
    uint256 public constant AHEAD_MAX = 10 seconds;

    /// One slot.
    struct Ahead {
        uint40 time; // the network's
        uint40 counted; // the second of the chain that stands for it
    }

    IPriceStore public immutable store;

    mapping(bytes32 asset => Ahead) private _ahead;

    constructor(IPriceStore store_, address owner_) Owned(owner_) {
        store = store_;
    }

    /// @inheritdoc IPriceSource
    function report(bytes32 asset) public {
        (uint256 price, uint256 time) = reading(asset);
        time = _counted(asset, time);
        require(time <= block.timestamp, IOracle.PriceFromFuture(asset, time));
        (uint256 known, uint256 knownTime) = store.read(asset);
        if (price == known && time == knownTime) return;
        bytes32[] memory assets = new bytes32[](1);
        uint256[] memory prices = new uint256[](1);
        (assets[0], prices[0]) = (asset, price);
        store.push(assets, prices, uint40(time));
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

    /// A time that is a little ahead always counts as the second in which it was first seen. If it
    /// counted as a new time in each second, one report could confirm its own jump.
    function _counted(bytes32 asset, uint256 time) private returns (uint256) {
        Ahead memory seen = _ahead[asset];
        if (time == seen.time && time != 0) return seen.counted;
        if (time <= block.timestamp || time > block.timestamp + AHEAD_MAX) return time;
        _ahead[asset] = Ahead({time: uint40(time), counted: uint40(block.timestamp)});
        return block.timestamp;
    }

    /// `value`, which has `decimals` decimals, with 18; cut towards zero. Reverts with
    /// PriceTooHigh.
    function _scaled(bytes32 asset, uint256 value, int256 decimals)
        internal
        pure
        returns (uint256)
    {
        if (decimals > int256(DECIMALS)) {
            uint256 excess = uint256(decimals) - DECIMALS;
            return excess > POWER_MAX ? 0 : value / 10 ** excess;
        }
        uint256 power = uint256(int256(DECIMALS) - decimals);
        require(
            power <= POWER_MAX && value <= type(uint256).max / 10 ** power,
            IOracle.PriceTooHigh(asset, value)
        );
        return value * 10 ** power;
    }
}
