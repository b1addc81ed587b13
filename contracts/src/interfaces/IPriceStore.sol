// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOracle} from "./IOracle.sol";

/// The one store of index prices: each asset has one source that reports to it.
interface IPriceStore is IOracle {
    event PusherChanged(address indexed pusher);
    /// A `source` of zero means the pusher.
    event SourceChanged(bytes32 indexed asset, address indexed source);
    event GuardianChanged(address indexed guardian);
    event Paused(bytes32 indexed asset, bool paused);
    /// A report too far from the accepted price is held. It takes effect once a later one confirms
    /// it.
    event JumpHeld(bytes32 indexed asset, uint256 price, uint40 time);
    /// The asset's source has a reading that must not be used: the accepted price is in doubt until
    /// the next one.
    event Refused(bytes32 indexed asset);

    error NotSource(bytes32 asset, address caller);
    error AssetPaused(bytes32 asset);
    error LengthsDiffer(uint256 assets, uint256 prices);
    error PriceTooOld(bytes32 asset, uint256 time);

    /// Accepts prices (18 decimals) that were observed at `time` in Unix seconds: not in the
    /// future, not older than the newest ones, not older than a day. All or none, and each only
    /// from its asset's source. Equal times are accepted, since blocks may share a second. A price
    /// more than a tenth away from the one accepted before this block's second is held; it is
    /// accepted when a later second brings a report with a later time within a tenth of it, and
    /// takes effect in the second after that.
    function push(bytes32[] calldata assets, uint256[] calldata prices, uint40 time) external;

    /// Puts the accepted price of `asset` in doubt until the next accepted report. Only the asset's
    /// source. Does nothing while the price may not be used for another reason.
    function refuse(bytes32 asset) external;

    /// The address that reports the assets without a separate source.
    function pusher() external view returns (address);

    /// The address that reports `asset`; zero for the pusher.
    function sourceOf(bytes32 asset) external view returns (address);

    function isPaused(bytes32 asset) external view returns (bool);

    /// The address that may pause an asset, and do nothing else.
    function guardian() external view returns (address);

    /// Only the owner.
    function setPusher(address pusher) external;

    /// Only the owner.
    function setSource(bytes32 asset, address source) external;

    /// Sets the guardian; zero for none. Only the owner.
    function setGuardian(address guardian) external;

    /// Stops accepting prices of `asset` and makes its price stale immediately, or resumes. Only
    /// the owner or the guardian. The guardian may pause but not resume; anyone may resume three
    /// days after its pause, and it may pause the same asset again six days after at the earliest.
    function pause(bytes32 asset, bool paused) external;
}
