// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MockPyth} from "@pythnetwork/pyth-sdk-solidity/MockPyth.sol";
import {Funding} from "../../../src/Funding.sol";
import {PythSource} from "../../../src/PythSource.sol";
import {PerpsState} from "../../../src/PerpsState.sol";
import {Positions} from "../../../src/Positions.sol";
import {IPerpsMarks, ILiquidation} from "../../../src/interfaces/IPerps.sol";
import {AdversarySchemes} from "./AdversarySchemes.sol";

/// Schemes with prices: several in one second, rejected ones, held ones, and markets with an
/// announced end.
abstract contract AdversaryPrices is AdversarySchemes {
    bytes32 private constant SOL_ID = bytes32(uint256(0x501));
    /// Maximum distance between a price of the second and the one before it, in parts of 10,000:
    /// covered by initial margin and the margin for the move of a second in both directions.
    uint256 private constant WICK_MAX = 450;

    address internal _owner;
    MockPyth private _pyth;
    PythSource private _source;

    function _startSource(address owner) internal {
        _owner = owner;
        _pyth = new MockPyth(60, 0);
        _source = PythSource(
            vm.deployCode(
                "out/shipped/PythSource.sol/PythSource.json", abi.encode(oracle, _pyth, owner)
            )
        );
        vm.prank(owner);
        _source.setFeed("SOL", SOL_ID);
    }

    function _assetOf(uint32 market) internal pure returns (bytes32) {
        return market == 1 ? bytes32("ETH") : market == 2 ? bytes32("BTC") : bytes32("SOL");
    }

    function _movedBy(uint256 price, uint256 parts, bool up) internal pure returns (uint256) {
        return price * (up ? 10_000 + parts : 10_000 - parts) / 10_000;
    }

    /* SEVERAL PRICES IN A SECOND */

    /// The reporter of a network's prices chooses which of the last seconds' come first.
    function wick(uint256 seed) external seeded(seed) {
        _attempt(_oneIn(4) ? _pokeInAWick : _oneIn(3) ? _closeInAWick : _wick);
    }

    function _wick() private returns (string memory what) {
        uint32 market = _oneIn(2) ? EMPTY : _anyMarket();
        bool buy = _oneIn(2);
        bool rests = market == EMPTY && _oneIn(3);
        uint256 width = _between(20, WICK_MAX);
        uint256 before = _prices[market - 1];
        _laterFresh(1);
        // The winner and the loser, as close to its margin as the engine permits.
        uint256 value = _between(20_000, 2_000_000);
        Party memory winner = _actor(value / 4);
        Party memory loser = _actor(value * _between(505, 1_100) / 10_000);
        _later(1);
        _prices[market - 1] = _fair[market] = _movedBy(before, width, !buy);
        _reach = int256(2 * width + 100);
        _startScheme();
        uint64 lots = _lotsOf(market, value);
        uint24 tick = _tickAt(market, buy ? 10_000 + width : 10_000 - width);
        if (rests) {
            _rest(loser, market, buy, tick, lots);
            _later(1);
        }
        _report(_assetOf(market), _movedBy(before, width, buy));
        _forget();
        if (rests) _take(winner, market, !buy, tick, lots, false);
        else _pair(winner, loser, market, buy, tick, lots);
        what = _lotsIn(market, loser) == 0 ? "wick refused" : "traded in a wick";
        if (_oneIn(2)) _forceEverybody(market);
        _report(_assetOf(market), _prices[market - 1]);
        _forget();
        for (uint256 i = _roll(3); i != 0; i--) {
            _anyMove(market);
        }
        _forceEverybody(market);
        _settleDown(market);
        _endScheme(0, "several prices in a second leave no debt");
    }

    /// A loser near its maintenance margin closes far from the mark, at a price of one second that
    /// is better for it, and thereby passes its temporary profit to a friend.
    function _closeInAWick() private returns (string memory what) {
        bool long = _oneIn(2);
        _laterFresh(1);
        uint256 value = _between(20_000, 1_000_000);
        Party memory friend = _actor(value);
        Party memory loser = _actor(value * _between(505, 520) / 10_000);
        _startScheme();
        _pair(friend, loser, EMPTY, long, _tickAt(EMPTY, 10_000), _lotsOf(EMPTY, value));
        _prices[2] = _fair[EMPTY] = _movedBy(_prices[2], _between(180, 220), !long);
        _laterFresh(1);
        _laterFresh(1);
        _later(1);
        _report(_assetOf(EMPTY), _movedBy(_prices[2], _between(300, WICK_MAX), long));
        _forget();
        uint64 closed = _mostClosed(loser);
        uint24 tick = _tickAt(EMPTY, long ? 9_001 : 10_999);
        _rest(friend, EMPTY, long, tick, closed);
        bool done = _take(loser, EMPTY, !long, tick, closed, true);
        what = done ? "closed in a wick" : "close in a wick refused";
        _report(_assetOf(EMPTY), _prices[2]);
        _forget();
        _settleDown(EMPTY);
        _endScheme(0, "a close in a wick leaves no debt");
    }

    /// The lots that an account may close a tenth from the mark and have the margin for the rest.
    function _mostClosed(Party memory party) private view returns (uint64) {
        PerpsState.Health memory health = perps.healthOf(party.account);
        if (health.equity <= int256(health.maintenanceMargin)) return 1;
        uint256 spare = uint256(health.equity) - health.maintenanceMargin;
        uint256 lots = Positions.abs(_lotsIn(EMPTY, party));
        uint256 most = lots * spare / (health.notional / 10 - health.maintenanceMargin);
        return uint64(most * 99 / 100 + 1);
    }

    /// Tries to close all accounts at the price of this second.
    function _forceEverybody(uint32 market) private {
        Party memory by = _anyActor();
        for (uint40 account = 1; account < FIRST_EVIL; account++) {
            if (perps.positionOf(market, account).lots == 0) continue;
            _do(
                by,
                abi.encodeCall(ILiquidation.liquidate, (account, market, _liveOf(market, account)))
            );
        }
    }

    /// The honest keeper works until no account is below its margin; then all collateral that can
    /// leave is withdrawn.
    function _settleDown(uint32 market) internal {
        for (uint256 i = 0; i < 8; i++) {
            _laterFresh(i < 2 ? 1 : 11);
            _keepMarket(market);
        }
        _withdrawAll();
    }

    /// A poke measures the book against the index of before the second.
    function _pokeInAWick() private returns (string memory) {
        uint32 market = _anyMarket();
        _laterFresh(60);
        _later(1);
        uint256 id = CHEATS.snapshotState();
        try perps.poke(market) {} catch {}
        (, Funding.Activity memory mere) = perps.fundingOf(market);
        CHEATS.revertToStateAndDelete(id);
        uint256 price = _movedBy(_prices[market - 1], _between(20, WICK_MAX), _oneIn(2));
        _report(_assetOf(market), price);
        try perps.poke(market) {} catch {}
        (, Funding.Activity memory wicked) = perps.fundingOf(market);
        vm.assertEq(
            int256(wicked.premiumSum), int256(mere.premiumSum), "no price of a second is sampled"
        );
        return "poked in a wick";
    }

    /* REFUSED AND HELD PRICES */

    /// The network's price has moved, but must not be used, or waits for another one.
    function doubt(uint256 seed) external seeded(seed) {
        _attempt(_oneIn(2) ? _refused : _held);
    }

    function _publish(uint256 price, bool wide) private {
        int64 value = int64(uint64(price / 1e10));
        uint64 confidence = wide ? uint64(value) / 100 : uint64(value) / 1_000;
        bytes[] memory data = new bytes[](1);
        data[0] = _pyth.createPriceFeedUpdateData(
            SOL_ID,
            value,
            confidence,
            -8,
            value,
            confidence,
            uint64(block.timestamp),
            uint64(block.timestamp) - 1
        );
        _pyth.updatePriceFeeds(data);
        _source.report("SOL");
        _forget();
    }

    /// Two accounts that would trade at the old price, and a new one that leaves one a debt.
    function _conspire(bool up, uint256 parts) private {
        uint256 value = _between(20_000, 2_000_000);
        _actor(value / 2);
        _actor(value * _between(505, 700) / 10_000);
        _fair[EMPTY] = _movedBy(_prices[2], parts, up) / 1e10 * 1e10;
    }

    function _tryPair(bool up) private returns (bool) {
        Party memory loser = _actorAt(1);
        if (_lotsIn(EMPTY, loser) != 0) return true;
        uint256 value = uint256(_valueOf(loser.account)) / 1e18 * 19;
        uint64 lots = _lotsOf(EMPTY, value);
        uint24 tick = _tickAt(EMPTY, _oneIn(2) ? 10_000 : _between(9_950, 10_050));
        _pair(_actorAt(0), loser, EMPTY, !up, tick, lots);
        return _lotsIn(EMPTY, loser) != 0;
    }

    function _refused() private returns (string memory) {
        bool up = _oneIn(2);
        _laterFresh(1);
        vm.prank(_owner);
        oracle.setSource("SOL", address(_source));
        _later(1);
        _publish(_prices[2], false);
        _later(_between(1, 5));
        _conspire(up, _between(700, 990));
        _publish(_fair[EMPTY], true);
        _startScheme();
        _misuse(up);
        _later(1);
        _publish(_fair[EMPTY], false);
        _resumePushing();
        _settleDown(EMPTY);
        _endScheme(0, "a price in doubt leaves no debt");
        return "traded in doubt";
    }

    function _misuse(bool up) private {
        for (uint256 i = _between(1, 4); i != 0; i--) {
            _tryPair(up);
            for (uint256 j = _roll(3); j != 0; j--) {
                _anyMove(EMPTY);
            }
            _later(_roll(8));
        }
    }

    function _resumePushing() private {
        vm.prank(_owner);
        oracle.setSource("SOL", address(0));
        _prices[2] = _fair[EMPTY];
        _later(1);
    }

    /// A jump is held, then confirmed by a price from which the next one may be far.
    function _held() private returns (string memory) {
        bool up = _oneIn(2);
        _laterFresh(1);
        _later(_between(1, 30));
        uint256 parts = _between(1_100, 1_700);
        _conspire(up, parts);
        _report("SOL", _fair[EMPTY]);
        _forget();
        _startScheme();
        _misuse(up);
        _later(1);
        // The one that confirms it is up to 8 % away from the price that follows in its second.
        _report("SOL", _movedBy(_fair[EMPTY], _between(0, 800), !up));
        _forget();
        _tryPair(up);
        if (_oneIn(2)) {
            _report("SOL", _movedBy(_fair[EMPTY], _between(0, 400), !up));
            _forget();
            _tryPair(up);
        }
        _report("SOL", _fair[EMPTY]);
        _forget();
        _anyMove(EMPTY);
        _prices[2] = _fair[EMPTY];
        _later(1);
        _settleDown(EMPTY);
        _endScheme(0, "a held price leaves no debt");
        return "traded at a held price";
    }

    /* ANNOUNCED ENDS */

    struct End {
        uint256 announced;
        bool isVoid; // a price was reported or held, or the asset paused
        bool paused;
    }

    /// The end of a market is announced; then something happens to its index, or not.
    function announce(uint256 seed) external seeded(seed) {
        _attempt(_announce);
    }

    function _announce() private returns (string memory) {
        _laterFresh(1);
        uint256 value = _between(20_000, 500_000);
        (Party memory one, Party memory two) = (_actor(value), _actor(value));
        _startScheme();
        _pair(one, two, EMPTY, _oneIn(2), _tickAt(EMPTY, 10_000), _lotsOf(EMPTY, value));
        _later(_between(61, 3_000));
        vm.prank(_owner);
        perps.announceEnd(EMPTY);
        End memory end = End(block.timestamp, false, false);
        for (uint256 i = _between(1, 5); i != 0; i--) {
            _days();
            if (_oneIn(2)) _happen(end);
            if (_tryEnd(end)) return _expectEnded(one, two);
        }
        return "end refused";
    }

    function _days() private {
        uint256 hours_ = _oneIn(3) ? _between(1, 20) : _between(20, 60);
        if (_oneIn(8)) hours_ = 180; // it has expired by then
        for (uint256 left = hours_; left != 0;) {
            uint256 step = left < 20 ? left : 20;
            _later(step * 1 hours);
            left -= step;
        }
    }

    function _happen(End memory end) private {
        uint256 kind = _roll(4);
        if (kind == 0 || kind == 1) {
            uint256 parts = kind == 0 ? _roll(900) : _between(1_100, 2_000);
            uint256 price = _movedBy(_prices[2], parts, _oneIn(2));
            if (end.paused) return;
            _report("SOL", price);
            end.isVoid = true;
        } else if (kind == 2) {
            end.paused = !end.paused;
            vm.prank(_owner);
            oracle.pause("SOL", end.paused);
            if (end.paused) end.isVoid = true;
        }
        _forget();
    }

    function _tryEnd(End memory end) private returns (bool done) {
        uint40[] memory some = new uint40[](1);
        some[0] = _actorAt(0).account;
        uint256 elapsed = block.timestamp - end.announced;
        bool may = !end.isVoid && elapsed >= 3 days && elapsed < 7 days;
        done = _do(
            _actorAt(1), abi.encodeCall(IPerpsMarks.endPositions, (EMPTY, some, new uint40[](0)))
        );
        vm.assertEq(done, may, "an end holds from three days on, for four, while nothing happens");
    }

    /// Whatever the index does, every position ends at the mark of the first.
    function _expectEnded(Party memory one, Party memory two) private returns (string memory) {
        uint256 mark = perps.quoteOf(EMPTY).mark;
        _later(_between(1, 3_000));
        if (!oracle.isPaused("SOL")) {
            _report("SOL", _movedBy(_prices[2], _roll(900), _oneIn(2)));
            _forget();
        }
        vm.assertEq(perps.quoteOf(EMPTY).mark, mark, "a market ends at one mark");
        uint40[] memory both = new uint40[](2);
        (both[0], both[1]) = (one.account, two.account);
        _accrue();
        perps.endPositions(EMPTY, both, new uint40[](0));
        _read();
        Positions.Position memory insured = perps.positionOf(EMPTY, INSURANCE);
        vm.assertEq(int256(insured.lots), int256(0), "insurance holds nothing in the end");
        _withdrawAll();
        _endScheme(0, "an end leaves no debt");
        return "market ended";
    }
}
