// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../../src/PerpsState.sol";
import {Accounts} from "../../../src/Accounts.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {Lots, Tick} from "../../../src/ValueTypes.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IBook, OrderRequest, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {ILiquidation, IPerpsMarks, IPerps} from "../../../src/interfaces/IPerps.sol";
import {AdversaryHandler} from "./AdversaryHandler.sol";

/// Carries out schemes: what an adversary does with new accounts of its own over seconds or days,
/// in which prices move. Each begins in the state that the campaign has reached and is taken back
/// afterwards. With I what its accounts have inside the engine, debts counted, and O what they have
/// got out,
///   gained: I + O, less what they paid in;
///   uncovered: what I is below zero, since then the engine holds less than it owes to others.
/// The sum of both is at most what others agreed to, fees, funding and rewards.
abstract contract AdversarySchemes is AdversaryHandler {
    int256 private constant ROUNDING = 1e9; // quote raw

    int256 private _paidIn;
    int256 private _funding; // that the accounts got or paid
    int256[4] private _fundingSeen; // index by market
    /// The largest figure so far, quote raw.
    int256 public schemedMost = type(int256).min;

    constructor(
        Accounts accounts_,
        PushOracle oracle_,
        IPerps perps_,
        DevToken usdc_,
        address pusher
    ) AdversaryHandler(accounts_, oracle_, perps_, usdc_, pusher) {}

    /* A SCHEME */

    /// Carries a scheme out and takes everything back. `scheme` returns the case that it met.
    function _attempt(function() internal returns (string memory) scheme) internal {
        uint256 id = CHEATS.snapshotState();
        string memory what = scheme();
        int256 most = schemedMost;
        CHEATS.revertToStateAndDelete(id);
        schemedMost = most;
        _forget();
        seen[what] += 1;
    }

    /// An account of the scheme with a deposit of `units`.
    function _actor(uint256 units) internal returns (Party memory party) {
        uint256 secret = 0x5C4E + _parties.length;
        address wallet = vm.addr(secret);
        _deposit(wallet, units * 1e6);
        party = Party(wallet, accounts.accountOf(wallet), secret);
        _parties.push(party);
        if (_firstActor == 0) _firstActor = party.account;
    }

    function _actors() internal view returns (uint256) {
        return _parties.length - HONEST - EVIL;
    }

    function _actorAt(uint256 i) internal view returns (Party memory) {
        return _parties[HONEST + EVIL + i];
    }

    function _anyActor() internal returns (Party memory) {
        return _actorAt(_roll(_actors()));
    }

    function _startScheme() internal {
        delete _strike;
        _funding = 0;
        _noteBelow();
        (int256 inside, int256 out) = _possessions();
        _paidIn = inside + out;
        for (uint32 market = 1; market <= MARKETS; market++) {
            _fundingSeen[market] = perps.quoteOf(market).fundingIndex;
        }
        _forget();
    }

    /// Checks the figure; `allowed` is added to the campaign's own bound.
    function _endScheme(int256 allowed, string memory rule) internal {
        _accrue();
        (int256 inside, int256 out) = _possessions();
        int256 figure = inside + out - _paidIn - _funding;
        if (inside < 0) figure -= inside;
        figure += _strike.fees - _strike.agreed;
        figure -= _strike.rewards + _strike.forced;
        if (figure > schemedMost) schemedMost = figure;
        vm.assertLe(figure, allowed + ROUNDING, rule);
    }

    function _possessions() private view returns (int256 inside, int256 out) {
        for (uint256 i = 0; i < _actors(); i++) {
            Party memory party = _actorAt(i);
            inside += _valueOf(party.account);
            out += int256(usdc.balanceOf(party.wallet)) * SCALE;
        }
    }

    function _schemed() internal view override returns (int256) {
        return schemedMost;
    }

    /* TIME */

    /// Records the funding that the accounts received since the last call; run before each change
    /// of lots.
    function _accrue() internal {
        for (uint32 market = 1; market <= MARKETS; market++) {
            int256 index = perps.quoteOf(market).fundingIndex;
            int256 moved = index - _fundingSeen[market];
            _fundingSeen[market] = index;
            if (moved == 0) continue;
            for (uint256 i = 0; i < _actors(); i++) {
                _funding -= perps.positionOf(market, _actorAt(i).account).lots * moved;
            }
        }
    }

    function _later(uint256 seconds_) internal {
        vm.warp(block.timestamp + seconds_);
        for (uint32 market = 1; market <= MARKETS; market++) {
            try perps.settleHours(market) {} catch {}
        }
        _forget();
    }

    /// The newest prices are reported in a later second.
    function _laterFresh(uint256 seconds_) internal {
        _later(seconds_);
        _push();
        _noteBelow(INSURANCE + 1);
        _forget();
    }

    /* CALLS */

    /// One call of one account, as far as it may.
    function _do(Party memory party, bytes memory data) internal returns (bool done) {
        _accrue();
        vm.prank(party.wallet);
        (done,) = address(perps).call(data);
        if (done) _read();
        else _forget();
    }

    function _order(uint32 market, bool buy, uint24 tick, uint64 lots)
        internal
        pure
        returns (OrderRequest memory request)
    {
        (request.market, request.buy, request.tick, request.lots) =
        (market, buy, Tick.wrap(tick), Lots.wrap(lots));
    }

    function _rest(Party memory party, uint32 market, bool buy, uint24 tick, uint64 lots)
        internal
        returns (bool)
    {
        return _do(party, abi.encodeCall(IBook.place, (_order(market, buy, tick, lots))));
    }

    function _take(
        Party memory party,
        uint32 market,
        bool buy,
        uint24 tick,
        uint64 lots,
        bool reduceOnly
    ) internal returns (bool) {
        OrderRequest memory request = _order(market, buy, tick, lots);
        (request.timeInForce, request.reduceOnly) = (TimeInForce.IOC, reduceOnly);
        return _do(party, abi.encodeCall(IBook.place, (request)));
    }

    /// Makes `to` buy lots that `from` sells (or the reverse) at a tick.
    function _pair(
        Party memory from,
        Party memory to,
        uint32 market,
        bool buy,
        uint24 tick,
        uint64 lots
    ) internal {
        _rest(from, market, !buy, tick, lots);
        _take(to, market, buy, tick, lots, false);
        _do(from, abi.encodeCall(IBook.cancelAll, (market, _liveOf(market, from.account))));
    }

    /// The tick at `parts` / 10,000 of the mark.
    function _tickAt(uint32 market, uint256 parts) internal view returns (uint24) {
        return uint24(perps.quoteOf(market).mark * parts / 10_000 / _priceStep(market));
    }

    function _lotsIn(uint32 market, Party memory party) internal view returns (int64) {
        return perps.positionOf(market, party.account).lots;
    }

    function _withdraw(Party memory party, uint256 raw) internal returns (bool) {
        return _do(party, abi.encodeCall(ILedger.withdraw, (address(usdc), raw, party.wallet)));
    }

    /// Withdraws the maximum of each account.
    function _withdrawAll() internal {
        for (uint256 i = 0; i < _actors(); i++) {
            Party memory party = _actorAt(i);
            int256 held = perps.holdingOf(party.account).collateral;
            uint256 raw = held > 0 ? uint256(held / SCALE) : 0;
            for (uint256 j = 0; j < 6 && raw != 0; j++) {
                if (_withdraw(party, raw)) break;
                raw /= 2;
            }
        }
    }

    /// A random action of any account, with part of its balance.
    function _anyMove(uint32 market) internal {
        (Party memory party, Party memory other) = (_anyActor(), _anyActor());
        uint256 kind = _roll(10);
        if (kind < 3) return _handOver(market, party, other);
        if (kind < 5) {
            _withdraw(party, _between(1, 50_000e6));
        } else if (kind == 5) {
            _do(
                party,
                abi.encodeCall(
                    ILedger.transfer, (address(usdc), other.wallet, _between(1, 50_000e6))
                )
            );
        } else if (kind == 6) {
            _do(party, _forceAny(market, other.account));
        } else {
            _startPlan();
            _do(party, _anyCall(party, market));
        }
    }

    /// Moves lots of a position to another account, or more of the same.
    function _handOver(uint32 market, Party memory from, Party memory to) private {
        int64 lots = _lotsIn(market, from);
        if (lots == 0 || from.account == to.account) return;
        bool buy = lots > 0;
        uint64 count = uint64(buy ? lots : -lots);
        if (_oneIn(3)) count = uint64(_between(1, count));
        uint24 tick = _tickAt(market, _oneIn(2) ? 10_000 : _between(9_010, 10_990));
        _rest(to, market, buy, tick, count);
        _take(from, market, !buy, tick, count, !_oneIn(4));
    }

    function _forceAny(uint32 market, uint40 account) private returns (bytes memory) {
        uint40[] memory orders = _liveOf(market, account);
        uint256 kind = _roll(6);
        if (kind == 0) return abi.encodeCall(ILiquidation.liquidate, (account, market, orders));
        if (kind == 1) return abi.encodeCall(ILiquidation.deleverage, (account, market, orders));
        if (kind == 2) return abi.encodeCall(IPerpsMarks.coverDebt, (account));
        if (kind == 3) return abi.encodeCall(ILiquidation.clearLoss, ());
        if (kind == 4) return abi.encodeCall(ILiquidation.flagLoss, (account, market));
        return abi.encodeCall(ILiquidation.nominate, (account, _anyActor().account, market));
    }

    /* THE KEEPER */

    /// Closes, flags and nominates like an honest keeper in this second.
    function _keepMarket(uint32 market) internal {
        _accrue();
        for (uint256 i = 0; i < _actors(); i++) {
            uint40 account = _actorAt(i).account;
            if (perps.positionOf(market, account).lots == 0) continue;
            _keepOne(market, account);
        }
        try perps.clearLoss() {} catch {}
        _read();
    }

    function _keepOne(uint32 market, uint40 account) private {
        uint40[] memory none = new uint40[](0);
        try perps.liquidate(account, market, none) {
            return _read();
        } catch {}
        try perps.deleverage(account, market, none) {
            return _read();
        } catch {}
        try perps.flagLoss(account, market) {} catch {}
        for (uint256 i = 0; i < _actors(); i++) {
            try perps.nominate(account, _actorAt(i).account, market) {} catch {}
        }
        _read();
    }

    /// Maximum payment of insurance: its equity at the mark or, if higher, at the index, and a
    /// thousandth for the funding received meanwhile.
    function _insured() internal view returns (int256 insured) {
        insured = perps.healthOf(INSURANCE).equity;
        int256 atIndex = _valueOf(INSURANCE);
        if (atIndex > insured) insured = atIndex;
        insured = insured < 0 ? int256(0) : insured + insured / 1_000;
    }

    /// Insurance has nothing, as far as it may withdraw.
    function _emptyInsurance() internal {
        address insurer = vm.addr(0x1115);
        int256 held = perps.holdingOf(INSURANCE).collateral;
        uint256 raw = held > 0 ? uint256(held / SCALE) : 0;
        for (uint256 i = 0; i < 12 && raw != 0; i++) {
            vm.prank(insurer);
            try perps.withdraw(address(usdc), raw, insurer) {} catch {}
            raw /= 2;
        }
        _forget();
    }
}
