// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Books} from "./Books.sol";
import {Decimals} from "./Decimals.sol";
import {GuardianStop} from "./GuardianStop.sol";
import {Owned} from "./Owned.sol";
import {Ticks} from "./Ticks.sol";
import {Tick} from "./ValueTypes.sol";
import {IMarkets} from "./interfaces/IMarkets.sol";

/// Holds the owner and the guardian, halts and resumes the markets of an engine, and reads their
/// books.
abstract contract Markets is IMarkets, Books, Owned {
    using GuardianStop for GuardianStop.Stop;
    using Ticks for Ticks.Set;

    mapping(uint32 market => GuardianStop.Stop) private _stops;

    /// @inheritdoc IMarkets
    function guardian() external view returns (address) {
        return _guardian;
    }

    /// @inheritdoc IMarkets
    function setGuardian(address guardian_) external onlyOwner {
        _guardian = guardian_;
        emit GuardianChanged(guardian_);
    }

    /// @inheritdoc IMarkets
    function halt(uint32 market, bool halted) external {
        Book.Units storage units = _listed(market).units;
        _stops[market].turn(halted, units.halted, _owner, _guardian);
        units.halted = halted;
        emit Halted(market, halted);
    }

    /* READING, FOR LENSES AND TESTS */

    /// @inheritdoc IMarkets
    function stateOf(uint32 market) external view returns (Book.StateView memory view_) {
        Book.State memory state = _markets[market].state;
        view_.nextOrder = state.nextOrder;
        view_.bestBid = Tick.unwrap(state.bestBid);
        view_.bestAsk = Tick.unwrap(state.bestAsk);
        view_.minOrderValue = uint128(Decimals.unpack(state.minOrderFloat));
        view_.maxOrderValue = uint128(Decimals.unpack(state.maxOrderFloat));
        (view_.changedTime, view_.freshOrders) = (state.changedTime, state.freshOrders);
        view_.averageTick = state.averageTick;
    }

    /// @inheritdoc IMarkets
    function unitsOf(uint32 market) external view returns (Book.Units memory) {
        return _markets[market].units;
    }

    /// @inheritdoc IMarkets
    function levelAt(uint32 market, uint24 tick) external view returns (Book.Level memory) {
        return _markets[market].levels[Tick.wrap(tick)];
    }

    /// @inheritdoc IMarkets
    function orderAt(uint32 market, uint40 order) external view returns (Book.Order memory) {
        return _markets[market].orders[order];
    }

    /// @inheritdoc IMarkets
    function tickAbove(uint32 market, uint24 tick) external view returns (uint24) {
        return Tick.unwrap(_markets[market].ticks.above(Tick.wrap(tick)));
    }

    /// @inheritdoc IMarkets
    function tickBelow(uint32 market, uint24 tick) external view returns (uint24) {
        return Tick.unwrap(_markets[market].ticks.below(Tick.wrap(tick)));
    }
}
