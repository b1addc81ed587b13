// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lens} from "../../src/Lens.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {Vm} from "../Vm.sol";
import {VectorVenue} from "./VectorVenue.sol";

/// Writes the funding of a market over hours of pokes, some of them missed: the engine's values at
/// each event and at times between.
contract FundingVectors is VectorVenue {
    uint256 private constant SCENARIOS = 8;
    uint256 private constant STEPS = 12;

    function test_funding_cases_are_written() external {
        string memory path = _openFile("funding");
        uint256 start = FILES.snapshotState();
        for (uint256 i = 0; i < SCENARIOS; i++) {
            Case memory one = _case(path, i);
            _put(one, "settledSeconds", START);
            _put(one, "mark", perps.quoteOf(1).mark);
            _put(one, "amountStep", perps.unitsOf(1).amountStep);
            string memory steps;
            for (uint256 j = 0; j < STEPS; j++) {
                steps = string.concat(steps, _comma(steps), _step(one));
            }
            _putRaw(one, "steps", string.concat("[", steps, "]"));
            _end(one);
            FILES.revertToState(start);
        }
    }

    /// Time passes: a minute, hours, or more days than one call settles. Then a price and a poke.
    function _step(Case memory one) private returns (string memory) {
        uint256 pace = _below(one, 8);
        _pass(
            pace < 5 ? _between(one, 60, 2400) : pace < 7 ? _between(one, 3600, 20_000) : 100_000
        );
        _move(one, 1, _signed(one, 20));
        vm.recordLogs();
        _poke(1, _signed(one, 9));
        // A poke moves no mark within its second.
        string memory text = _logsText(vm.getRecordedLogs(), perps.quoteOf(1).mark);
        _pass(_below(one, 50));
        return string.concat(text, _comma(text), _stateText());
    }

    /// `markThen` is the mark at which ended hours are settled, before the poke moves it.
    function _logsText(Vm.Log[] memory logs, uint256 markThen)
        private
        pure
        returns (string memory text)
    {
        for (uint256 i = 0; i < logs.length; i++) {
            string memory row;
            if (logs[i].topics[0] == IPerpsEvents.Marked.selector) {
                row = _markedText(logs[i].data);
            }
            if (logs[i].topics[0] == IPerpsEvents.FundingSettled.selector) {
                row = _settledText(logs[i].data, markThen);
            }
            if (bytes(row).length != 0) text = string.concat(text, _comma(text), row);
        }
    }

    function _markedText(bytes memory data) private pure returns (string memory) {
        (uint256 mark, int256 basis, int256 premium, uint256 seconds_) =
            abi.decode(data, (uint256, int256, int256, uint256));
        return string.concat(
            '{"type":"Marked",',
            _member("mark", int256(mark)),
            ",",
            _member("basis", basis),
            ",",
            _member("premium", premium),
            ",",
            _member("seconds", int256(seconds_)),
            "}"
        );
    }

    function _settledText(bytes memory data, uint256 markThen)
        private
        pure
        returns (string memory text)
    {
        (
            uint256 time,
            int256 rate,
            uint256 mark,
            int256 cumulative,
            int256 nextRate,
            int256 nextPerSecond
        ) = abi.decode(data, (uint256, int256, uint256, int256, int256, int256));
        text = string.concat(
            '{"type":"FundingSettled",', _member("time", int256(time)), ",", _member("rate", rate)
        );
        text = string.concat(
            text, ",", _member("mark", int256(mark)), ",", _member("cumulative", cumulative)
        );
        text = string.concat(text, ",", _member("markThen", int256(markThen)));
        return string.concat(
            text,
            ",",
            _member("nextRate", nextRate),
            ",",
            _member("nextPerSecond", nextPerSecond),
            "}"
        );
    }

    /// The lens's values at this second.
    function _stateText() private view returns (string memory text) {
        Lens.FundingState memory state = lens.funding(perps, 1);
        text = string.concat(
            '{"type":"State",',
            _member("seconds", int256(block.timestamp)),
            ",",
            _member("indexPrice", int256(_priceOf(1))),
            ",",
            _member("mark", int256(perps.quoteOf(1).mark))
        );
        text = string.concat(
            text,
            ",",
            _member("fundingIndex", state.fundingIndex),
            ",",
            _member("rate", state.rate),
            ",",
            _member("perSecond", state.perSecond)
        );
        return string.concat(
            text,
            ",",
            _member("premiumSum", state.premiumSum),
            ",",
            _member("sampledSeconds", int256(state.sampledSeconds)),
            "}"
        );
    }
}
